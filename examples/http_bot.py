"""A bot in thirty lines that plays over HTTP: `python examples/http_bot.py http://localhost:8000 CODE`."""

import json
import random
import sys
from urllib.request import Request, urlopen

server, code = sys.argv[1].rstrip("/"), sys.argv[2]
headers = {"Content-Type": "application/json"}


def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(f"{server}/api/tables/{code}{path}", data, headers, method=method))


def choose(table):
    pending = table["view"]["pending"][table["seat"]]
    if isinstance(pending, dict):  # a line of warriors: so many of these, in any order
        line = random.sample(pending["arrange"], pending["take"])
        return ("plan:" if pending["take"] < len(pending["arrange"]) else "reorder:") + ",".join(line)
    return random.choice(pending)


taken = json.load(ask("POST", "/seats", {"name": "thirty lines"}))
headers["Authorization"] = f"Bearer {taken['token']}"
for line in ask("GET", "/live"):  # the table, and again whenever there is something new to see
    if line.startswith(b"data:"):
        table = json.loads(line[5:])
        if table["phase"] in ("over", "ended"):
            break
        if table["phase"] == "playing" and table["view"]["pending"]:
            ask("POST", "/choices", {"position": table["position"], "choice": choose(table)})
print(table["seat"], "sees it end:", json.dumps(table["view"]["outcome"]))

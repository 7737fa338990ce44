"""Checks what is in `deploy/` with the programs that it is for, and plays through Caddy and nginx as set up there.

python -m tests.deploy_check     after `make deploy-check` has fetched the programs into .deploy/
"""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import httpx

from tests.test_deploy import DEPLOY, TEXTS, queries
from tests.web.server import Server, until

PROGRAMS = Path(__file__).parent.parent / ".deploy" / "root" / "usr"
SITE = "localhost"


def program(name: str) -> str:
    """A program that was fetched, or this machine's."""
    for folder in ("bin", "sbin"):
        if (PROGRAMS / folder / name).exists():
            return str(PROGRAMS / folder / name)
    found = shutil.which(name)
    assert found, f"there is no {name} here"
    return found


def said_by(*command: str | Path, **more: str) -> str:
    """What a command says; it must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | more)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """A file with what is different here; each of these must be in it."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


# Without running them


def check_unit(folder: Path) -> str:
    if not shutil.which("systemd-analyze"):
        return "NOT CHECKED: there is no systemd here"
    unit = folder / "meadhall.service"
    unit.write_text(replaced(TEXTS["meadhall.service"], ("/opt/meadhall/bin/meadhall", sys.executable)))
    said_by(program("systemd-analyze"), "verify", "--man=no", unit)
    rated = said_by(program("systemd-analyze"), "security", "--offline=true", "--threshold=20", "--no-pager", unit)
    return rated.strip().splitlines()[-1].lstrip("→ ")


def check_compose(folder: Path) -> str:
    given = {"POSTGRES_PASSWORD": "x", "MEADHALL_SITE": SITE}
    for words in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(words[0]) and not subprocess.run([*words, "version"], capture_output=True).returncode:
            # The first version of docker-compose reads all of it but the name.
            file = folder / "compose.yaml"
            file.write_text(replaced(TEXTS["compose.yaml"], ("name: meadhall\n", "")))
            said_by(*words, "--file", file, "--project-directory", DEPLOY, "config", **given)
            return " ".join(words)
    return "NOT CHECKED: there is neither docker compose nor docker-compose here"


def check_queries(folder: Path) -> str:
    """Every query of the dashboard is one that Prometheus can read."""
    asked = [query.replace("$__rate_interval", "1m") for query in queries()]
    rules = [{"record": f"query:{k}", "expr": query} for k, query in enumerate(asked)]
    (folder / "rules.yml").write_text(json.dumps({"groups": [{"name": "all", "rules": rules}]}))
    said_by(program("promtool"), "check", "rules", folder / "rules.yml")
    said_by(program("promtool"), "check", "config", DEPLOY / "prometheus.yml")
    return f"{len(asked)} queries"


# Playing through them


@contextmanager
def running(*command: str | Path, **more: str) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | more)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def caddy(folder: Path, server: str, port: int) -> Iterator[None]:
    """Caddy with our file and ports and folders of its own; it makes a certificate by itself."""
    options = ["admin off", "skip_install_trust", "auto_https disable_redirects", f"http_port {free_port()}"]
    options += [f"https_port {port}", f"storage file_system {folder}"]
    file = folder / "Caddyfile"
    file.write_text(replaced(TEXTS["Caddyfile"], ("{\n\tservers {", "\n\t".join(["{", *options, "servers {"]))))
    given = {"MEADHALL_SITE": SITE, "MEADHALL_UPSTREAM": server, "HOME": str(folder)}
    said_by(program("caddy"), "validate", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile", HOME=str(folder))
    with running(program("caddy"), "run", "--config", file, "--adapter", "caddyfile", **given):
        yield


@contextmanager
def nginx(folder: Path, server: str, port: int) -> Iterator[None]:
    """nginx with our file, with a certificate, ports and folders of its own."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={SITE}"]
    said_by("openssl", "req", *made, "-keyout", key, "-out", certificate)
    shutil.copy(PROGRAMS.parent / "etc" / "nginx" / "mime.types", folder)
    temporary = "".join(
        f"    {kind}_temp_path {folder / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = replaced(
        TEXTS["nginx.conf"],
        ("user www-data;", ""),
        ("pid /run/nginx.pid;", f"pid {folder / 'nginx.pid'};\ndaemon off;"),
        ("/var/log/nginx/error.log", str(folder / "error.log")),
        ("include /etc/nginx/mime.types;", f"include {folder / 'mime.types'};\n{temporary}"),
        ("server 127.0.0.1:8000", f"server {server}"),
        ("server_name tables.example.org", f"server_name {SITE}"),
        ("/etc/letsencrypt/live/tables.example.org/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/tables.example.org/privkey.pem", str(key)),
        ("listen [::]:80;", ""),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen [::]:443 ssl http2;", ""),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
    )
    (folder / "nginx.conf").write_text(text)
    start = (program("nginx"), "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf")
    said_by(*start, "-t")
    with running(*start):
        yield


def visitor(port: int, address: str = "127.0.0.1", **headers: str) -> httpx.Client:
    """Somebody who comes to the proxy from an address of this machine's own network."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    way = httpx.HTTPTransport(verify=trusting, local_address=address)
    return httpx.Client(base_url=f"https://{SITE}:{port}", transport=way, timeout=60, headers=headers)


def check_pages(port: int) -> None:
    """Cookies are for https alone, links lead there, counts are nobody's, a large body is refused."""
    with visitor(port) as person:
        page = person.post("/play", data={"game": "goths"}, headers={"origin": f"https://{SITE}:{port}"})
        assert page.status_code == 303, page.text
        assert all("; secure" in cookie.lower() for cookie in page.headers.get_list("set-cookie"))
        assert person.cookies
        assert page.headers["strict-transport-security"]
        table = person.get(page.headers["location"])
        assert f"https://{SITE}:{port}/" in table.text
        assert f"http://{SITE}" not in table.text
        assert person.get("/metrics").status_code == 404
    with visitor(port) as stranger:
        large = stranger.post("/api/tables", content=b"x" * 600_000).status_code
        assert large in (413, 502), large  # the latter from Caddy 2.6, which takes it for a fault of the server


def check_stream(port: int) -> None:
    """What happens at a table arrives while the stream stays open: nobody on the way waits for its end."""
    with visitor(port) as person, visitor(port) as other:
        opened = person.post("/api/tables", json={"game": "romans", "rules": {"players": ["gold", "green"]}}).json()
        code = opened["code"]
        with other.stream("GET", f"/api/tables/{code}/live") as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            lines = (line for line in answer.iter_lines() if line.startswith("data:"))
            assert json.loads(next(lines)[5:])["seats"][0]["who"] == "open"
            taken = person.post(f"/api/tables/{code}/seats", json={"seat": "gold"})
            assert taken.status_code == 201, taken.text
            assert json.loads(next(lines)[5:])["seats"][0]["who"] != "open"


def check_addresses(port: int) -> None:
    """A flood from one address is refused there and nowhere else, whatever it claims to be."""

    def status(address: str, **headers: str) -> int:
        with visitor(port, address, **headers) as person:
            return max(person.get("/t/BBBBBB/film").status_code for _ in range(3))

    until(lambda: status("127.0.0.2") == 429, "a flood that is refused")
    lies = {"x-forwarded-for": "192.0.2.1", "forwarded": "for=192.0.2.1", "x-real-ip": "192.0.2.1"}
    until(lambda: status("127.0.0.2", **lies) == 429, "the same flood, whatever it claims")
    assert status("127.0.0.3") == 404


def check_restart(port: int, server: Server, waits: bool) -> None:
    """The server is started anew: streams end, and whoever asks meanwhile waits, or asks again."""
    statuses: list[int] = []
    server.stop()

    def ask() -> None:
        with visitor(port, "127.0.0.4") as person:
            statuses.append(person.get("/healthz").status_code)

    asking = Thread(target=ask)
    asking.start()
    server.options = (*server.options, "--port", server.url.rpartition(":")[2])
    server.start()
    asking.join()
    assert statuses == [200] or not waits, statuses
    with visitor(port, "127.0.0.4") as person:
        until(lambda: person.get("/healthz").status_code == 200, "the server through the proxy")


def play_through(proxy: Callable[[Path, str, int], ExitStack], waits: bool) -> str:
    with tempfile.TemporaryDirectory() as name, ExitStack() as open_:
        folder, port = Path(name), free_port()
        folder.chmod(0o755)
        server = open_.enter_context(Server(folder, "--rate-limit", "40", "--trusted-proxies", "127.0.0.1"))
        open_.enter_context(proxy(folder, server.url.partition("//")[2], port))

        def answers() -> bool:
            try:
                with visitor(port) as person:
                    return person.get("/healthz").status_code == 200
            except httpx.TransportError:
                return False

        until(answers, "the server through the proxy")
        check_pages(port)
        check_stream(port)
        check_addresses(port)
        check_restart(port, server, waits)
        assert '"level": "error"' not in server.log
    return "pages, cookies, streams, addresses, a restart"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        checks: dict[str, Callable[[], str]] = {
            "meadhall.service": lambda: check_unit(folder),
            "compose.yaml": lambda: check_compose(folder),
            "grafana.json, meadhall.rules.yml": lambda: check_queries(folder),
            "Caddyfile": lambda: play_through(caddy, waits=True),  # type: ignore[arg-type]
            "nginx.conf": lambda: play_through(nginx, waits=False),  # type: ignore[arg-type]
        }
        wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
        for what, check in checks.items():
            if wanted.search(what):
                print(f"{what}: {check()}", flush=True)


if __name__ == "__main__":
    main()

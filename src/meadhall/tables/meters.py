"""What is counted of the tables and their bots, for the host alone: a player could tell from it who has chosen."""

from prometheus_client import Counter, Gauge, Histogram

LIVE = Gauge("meadhall_live_connections", "Live connections", multiprocess_mode="livesum")
OPENED = Counter("meadhall_tables_opened", "Tables opened", ["game"])
CHOICES = Counter("meadhall_choices", "Choices written", ["game", "by"])
THINKING = Gauge("meadhall_bots_thinking", "Bots that think or wait for a worker", multiprocess_mode="livesum")
THOUGHT = Histogram("meadhall_bot_seconds", "Time until a bot has chosen, waiting included", ["level"])
BOT_FAILURES = Counter("meadhall_bot_failures", "Choices that a bot did not make, so that another did", ["level"])

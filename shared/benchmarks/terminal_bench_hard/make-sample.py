"""Writes sample.jsonl: 30 invented tasks in the format of the first Terminal-Bench that need python3, pytest and tmux and nothing else."""

import json
from pathlib import Path

WORDS = "acorn birch clover dune elder fern gorse hazel iris juniper knoll larch mallow nutmeg oak".split()


def table(seed: int) -> list[tuple[str, int]]:
    return [(WORDS[(seed * 4 + k * 7) % 15], (seed * 53 + k * 17) % 100) for k in range(6 + seed)]


KINDS = {
    "sum": ("Add up the numbers in the second column of /app/in.txt", lambda rows: sum(n for _, n in rows)),
    "least": ("Find the smallest number in the second column of /app/in.txt", lambda rows: min(n for _, n in rows)),
    "odd": ("Count the lines of /app/in.txt whose number is odd", lambda rows: sum(n % 2 for _, n in rows)),
    "last": ("Find the word in the first column of /app/in.txt that comes last in the alphabet", lambda rows: max(w for w, _ in rows)),
    "long": ("Count the words in the first column of /app/in.txt that have more than four letters", lambda rows: sum(len(w) > 4 for w, _ in rows)),
}

COMPOSE = """services:
  client:
    build:
      dockerfile: Dockerfile
    image: ${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}
    container_name: ${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}
    command: [ "sh", "-c", "sleep infinity" ]
    environment:
      - TEST_DIR=${T_BENCH_TEST_DIR}
    volumes:
      - ${T_BENCH_TASK_LOGS_PATH}:${T_BENCH_CONTAINER_LOGS_PATH}
      - ${T_BENCH_TASK_AGENT_LOGS_PATH}:${T_BENCH_CONTAINER_AGENT_LOGS_PATH}
"""
DOCKERFILE = """FROM python:3.12-slim-bookworm
RUN apt-get update && apt-get install -y tmux && pip install pytest==8.4.1
WORKDIR /app
COPY in.txt /app/in.txt
"""


def task(kind: str, seed: int) -> dict:
    said, compute = KINDS[kind]
    rows = table(seed)
    answer = str(compute(rows))
    files = {
        "Dockerfile": DOCKERFILE,
        "docker-compose.yaml": COMPOSE,
        "in.txt": "".join(f"{w} {n}\n" for w, n in rows),
        "run-tests.sh": "#!/bin/bash\npython3 -m pytest -rA $TEST_DIR/test_outputs.py\n",
        "solution.sh": f"#!/bin/bash\necho '{answer}' > /app/out.txt\n",
        "task.yaml": f"instruction: |-\n  {said} (sample {seed}).\n  Write the answer, followed by a line break, to /app/out.txt.\n"
        "author_name: unknown\ndifficulty: hard\ncategory: data-processing\ntags: [data]\nparser_name: pytest\n"
        "max_agent_timeout_sec: 300.0\nmax_test_timeout_sec: 60.0\n",
        "tests/test_outputs.py": "from pathlib import Path\n\nOUT = Path('/app/out.txt')\n\n\ndef test_exists():\n    assert OUT.exists()\n\n\n"
        f"def test_answer():\n    assert OUT.read_text() == '{answer}\\n'\n",
    }
    listed = [{"path": p, "mode": 0o755 if p.endswith(".sh") else 0o644, "text": t} for p, t in sorted(files.items())]
    return {"task": f"{kind}-{seed}", "files": listed}


rows = [task(kind, seed) for kind in KINDS for seed in range(1, 7)]
Path(__file__).with_name("sample.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

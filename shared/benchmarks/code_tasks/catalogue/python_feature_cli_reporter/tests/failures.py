import json
import os
import sys

_write, _dumps = os.write, json.dumps


def observe(case, value):
    _write(1, f"\n@@ {case} {_dumps(value)}\n".encode())


sys.path.insert(0, os.getcwd())

import subprocess  # noqa: E402

_run, _python = subprocess.run, sys.executable
with open("../orchard.txt", "w", encoding="utf-8") as file:
    file.write("# book\n2031-05-01; R1; Elstar; 3.5\n2031-05-02; R2; Elstar; 4\n2031-06-02; R2; Topaz; 0.5\n")
with open("../torn.txt", "w", encoding="utf-8") as file:
    file.write("2031-05-01; R1; Elstar; 3.5\n2031-05-01; R1; Elstar\n\n2031-05-01; R1; Elstar; 1\n")


def command(*arguments, stdin=""):
    program = "import sys; sys.path.insert(0, '.'); from reporter.__main__ import main; sys.exit(main())"
    done = _run([_python, "-I", "-B", "-c", program, *arguments], input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=60)
    error = done.stderr if done.returncode in (0, 3) else done.stderr.count("\n") > 0
    return [done.returncode, done.stdout, error]


observe("plain", command("../orchard.txt"))
observe("options", command("--by", "variety", "--format", "bars", "../orchard.txt"))
observe("dates", command("--by", "month", "--format", "csv", "--since", "2031-05-02", "--until", "2031-06-01", "../orchard.txt"))
observe("top", command("--top", "1", "../orchard.txt"))
observe("torn", command("../torn.txt"))
observe("strict", command("--strict", "--format", "csv", "../torn.txt"))
observe("strict_good", command("--strict", "--format", "csv", "../orchard.txt"))
observe("stdin", command("--format", "csv", stdin="2031-05-01; R9; Elstar; 3.5\nbad\n"))
observe("empty", command(stdin=""))
observe("wrong", [command("../nowhere.txt"), command("--by", "week"), command("--top", "-1"), command("--since", "soon"), command("../orchard.txt", "--format", "csv")])

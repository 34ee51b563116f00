import json
import sys

sys.path.insert(0, ".")
import shelf


def seen(work):
    try:
        return work()
    except Exception as error:
        return type(error).__name__


def show(case, value):
    print("@@", case, json.dumps(value), flush=True)


show("single", [seen(lambda: shelf.label(number)) for number in (0, 7, 42, 999, 1000, -1)])
show("many", seen(lambda: shelf.labels([30, 4, -2, 5])))
show("none", [seen(lambda: shelf.labels([])), seen(lambda: shelf.labels([-1])), seen(lambda: shelf.labels(iter([3])))])

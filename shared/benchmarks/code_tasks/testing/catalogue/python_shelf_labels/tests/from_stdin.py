import json
import sys

sys.path.insert(0, ".")
import shelf

print("@@ read", json.dumps(shelf.labels([int(line) for line in sys.stdin])))

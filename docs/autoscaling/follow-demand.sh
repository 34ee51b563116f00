#!/bin/sh
# Keeps as many agents of fleet.compose.yml as the service's open trials could use: their processors
# divided by those of one agent, or their calls by its slots, whichever asks for more. More agents
# come at once; fewer only after the demand was lower for SCALE_DOWN_AFTER seconds. Needs
# BENCH_EDGE_URL, BENCH_METRICS_KEY (scope metrics:read) and docker with compose, or SCALE_COMMAND:
# it is run by sh with the number in WANTED_AGENTS, as for servers that come and go (docs/fleet.md).
# A command that fails is repeated at the next look. ONCE=1 looks once and ends.
set -eu
: "${BENCH_EDGE_URL:?address of the service}" "${BENCH_METRICS_KEY:?a key with the scope metrics:read}"
cpus_each=${AGENT_CPUS:-8}
calls_each=${BENCH_SLOTS:-256}
least=${LEAST_AGENTS:-1}
most=${MOST_AGENTS:-20}
wait=${SCALE_DOWN_AFTER:-600}
every=${LOOK_EVERY:-15}
have=
lower_for=0

# The number under a name of the object `wanted`, rounded up.
wanted() { printf '%s' "$1" | sed -n 's/.*"wanted":{\([^}]*\)}.*/\1/p' | tr ',' '\n' | sed -n "s/^\"$2\":\([0-9.]*\)\$/\1/p" | awk '{ print int($1) + ($1 > int($1)) }'; }

while :; do
  if said=$(wget -q -O - --header "Authorization: Bearer $BENCH_METRICS_KEY" "$BENCH_EDGE_URL/api/fleet/demand") && cpus=$(wanted "$said" cpus) && [ -n "$cpus" ]; then
    calls=$(wanted "$said" calls)
    want=$(((cpus + cpus_each - 1) / cpus_each))
    for_calls=$(((calls + calls_each - 1) / calls_each))
    [ "$for_calls" -gt "$want" ] && want=$for_calls
    [ "$want" -lt "$least" ] && want=$least
    [ "$want" -gt "$most" ] && want=$most
    if [ -n "$have" ] && [ "$want" -lt "$have" ] && [ "$lower_for" -lt "$wait" ]; then
      lower_for=$((lower_for + every))
    else
      lower_for=0
      if [ "$want" != "$have" ]; then
        echo "$want agents for $cpus processors and $calls calls"
        if [ -n "${SCALE_COMMAND:-}" ]; then
          WANTED_AGENTS=$want sh -c "$SCALE_COMMAND" && have=$want
        else
          docker compose -f fleet.compose.yml up -d --no-recreate --scale "agent=$want" agent && have=$want
        fi
      fi
    fi
  else
    echo "the service at $BENCH_EDGE_URL does not tell its demand; nothing is changed" >&2
  fi
  [ -n "${ONCE:-}" ] && exit 0
  sleep "$every"
done

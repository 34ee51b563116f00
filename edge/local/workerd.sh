#!/bin/sh
# The kernel ends workerd together with its host, even when the host is killed and can do nothing about it itself.
exec setpriv --pdeathsig KILL "$BENCH_WORKERD" "$@"

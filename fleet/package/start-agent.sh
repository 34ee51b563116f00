#!/bin/sh
# Starts the agent of fleet/bubblewrap.Dockerfile. A container that is not privileged has its
# control groups read-only; sandboxes are groups below its own.
set -eu
while read -r _ place kind _; do
  case $kind in cgroup | cgroup2) mount -o remount,bind,rw "$place" ;; esac
done </proc/mounts
# In version 2 a group that holds processes hands no limits on: they go into a group below.
if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
  mkdir -p /sys/fs/cgroup/agent
  while read -r process; do
    echo "$process" >/sys/fs/cgroup/agent/cgroup.procs || true # it has ended
  done </sys/fs/cgroup/cgroup.procs
fi
exec /opt/agent/node /opt/agent/bench.mjs "$@"

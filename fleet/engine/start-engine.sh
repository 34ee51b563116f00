#!/bin/sh
# Starts the Docker engine of fleet.compose.yml, in the image docker:dind. It listens at a socket in
# a volume only; group 1000 is that of the agents. Containers of tasks reach the public internet and
# nothing private: not the host, its LAN, or its cloud's metadata. BENCH_ENGINE_OPTIONS: further
# options of dockerd, between blanks.
set -eu
# A container that is not privileged has its control groups read-only; an engine makes groups below
# its own.
while read -r _ place kind _; do
  case $kind in cgroup | cgroup2 | sysfs) mount -o remount,bind,rw "$place" ;; esac
done </proc/mounts
if [ -e /sys/class/net/eth0 ]; then
  iptables -N DOCKER-USER 2>/dev/null || iptables -F DOCKER-USER
  for range in 0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15; do
    iptables -A DOCKER-USER -o eth0 -d "$range" -j REJECT
  done
fi
# shellcheck disable=SC2086
exec dockerd-entrypoint.sh dockerd --host=unix:///run/engine/docker.sock --group=1000 ${BENCH_ENGINE_OPTIONS:-}

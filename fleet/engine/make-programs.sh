#!/bin/sh
# Sees to it that the engine of DOCKER_HOST has the image BENCH_SANDBOX_IMAGE: kept where it is,
# built where it is ours, else pulled.
set -eu
image=${BENCH_SANDBOX_IMAGE:-bench-programs}
if docker image inspect "$image" >/dev/null 2>&1; then
  echo "$image is here"
elif [ "$image" = bench-programs ]; then
  docker build -t "$image" /programs
else
  docker pull "$image"
fi

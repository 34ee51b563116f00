# The fleet agent of fleet.bubblewrap.yml: the program of fleet/Dockerfile, in a Debian with
# bubblewrap and the languages that programs of benchmarks are written in. BUILDER is any Debian
# with npm and Node 20.12 or later, SYSTEM the Debian that programs see.
ARG BUILDER=node:26-slim
ARG SYSTEM=debian:bookworm-slim

FROM ${BUILDER} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && cp -L node_modules/.bin/node /node
COPY shared shared
COPY fleet fleet
ARG VERSION=
RUN VERSION=${VERSION} /node fleet/package/pack.ts

FROM ${SYSTEM}
COPY fleet/images/programs/packages.txt /packages.txt
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive xargs -a /packages.txt apt-get install -y --no-install-recommends bubblewrap libatomic1 \
 && rm -rf /var/lib/apt/lists/* /packages.txt
COPY --from=build /node /opt/agent/node
COPY --from=build /src/dist/cli /opt/agent
COPY fleet/package/start-agent.sh /opt/agent/start-agent.sh
# Root of this container: each sandbox gets a user of its own and a control group below the
# container's.
USER 0:0
ENV NODE_ENV=production BENCH_DATA=/data HOME=/data
VOLUME /data
WORKDIR /data
ENTRYPOINT ["sh", "/opt/agent/start-agent.sh"]
CMD ["agent"]
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s --retries=2 CMD ["/opt/agent/node", "/opt/agent/bench.mjs", "agent", "--health"]

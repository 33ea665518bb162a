# One image for the worker (default), the gateway, the codec server, the command line and the simulator:
#
#   docker build --tag gcore-workflows .
#   docker run --env GCORE_API_KEY --env TEMPORAL_ADDRESS gcore-workflows
#   docker run --env TEMPORAL_ADDRESS gcore-workflows gcore-workflows --help
#   docker run --publish 127.0.0.1:8081:8081 gcore-workflows node dist/simulator/main.js --host=0.0.0.0
#
# The base needs glibc: Temporal's native library does not run on Alpine (musl).

# A release gives the digest of this tag, so that every stage and platform has the same base.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package of this product needs a script of its own to be installed.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY packaging packaging
COPY src src
RUN npm run build && rm -f dist/.tsbuildinfo

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# The package of Temporal's native library holds five platforms of 27 MB each, and Rust sources.
# Keep only the platform of this image.
RUN case "$(node -p process.arch)" in \
      x64) keep=x86_64-unknown-linux-gnu ;; \
      arm64) keep=aarch64-unknown-linux-gnu ;; \
      *) echo "Temporal has no native library for $(node -p process.arch)" >&2; exit 1 ;; \
    esac \
    && cd node_modules/@temporalio/core-bridge \
    && test -d "releases/$keep" \
    && find releases -mindepth 1 -maxdepth 1 ! -name "$keep" -exec rm -r {} + \
    && rm -r sdk-core
# Nothing reads type declarations and source maps of packages when it runs: 28 MB.
RUN find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete
COPY docs/operate docs/operate
COPY examples examples
# The image's user must be able to read these files, even if the checkout had a strict umask.
RUN chmod -R a+rX package.json docs examples

FROM ${NODE_IMAGE}
# Temporal's native library uses the system's certificates, and the slim base has none.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && ln -s /app/dist/cli/main.js /usr/local/bin/gcore-workflows
ARG VERSION=0.0.0-unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="gcore-workflows" \
      org.opencontainers.image.description="Temporal worker for long operations of the Gcore API, with its gateway and command line" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.base.name="docker.io/library/node:22-bookworm-slim"
# Memory: by default, Node's heap takes half of the container's limit. Set
# NODE_OPTIONS='--max-old-space-size=768 --max-semi-space-size=16' where you set a limit of 1 GiB: the old heap gets
# three quarters, the young one 48 MiB, and the native library gets the rest.
ENV NODE_ENV=production
# The worker answers here, for the health check below and for probes.
ENV GCORE_WORKFLOWS_HEALTH_PORT=8085
WORKDIR /app
# Root owns these files, so the process cannot change its own code. The process writes no files, so
# the root file system may be read-only.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/package.json package.json
COPY --from=dependencies /app/docs docs
COPY --from=dependencies /app/examples examples
COPY --from=build /app/dist dist
COPY --chmod=444 packaging/health-check.js health-check.js
# The user `node` of the base. Kubernetes needs the number to check that it is not root.
USER 1000:1000
# Load every part once: npm silently leaves out an optional binary that fails to install.
RUN node -e "import('./dist/worker/run-worker.js').then(() => import('./dist/simulator/index.js')).then(() => import('@aws-sdk/client-secrets-manager'))" \
    && gcore-workflows --help >/dev/null
# On SIGTERM the worker takes no new work, gives running calls 30 s, and exits within 45 s. Allow more
# than 45 s before the kill (stop_grace_period, terminationGracePeriodSeconds).
STOPSIGNAL SIGTERM
# For whichever part runs: worker, gateway or codec server. Kubernetes ignores it and has its own probes.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "health-check.js"]
# The base's entry point replaces itself with this command, so the command receives the signals.
CMD ["node", "--enable-source-maps", "dist/worker/main.js"]

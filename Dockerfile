# One image for the worker (default), the command line and the simulator:
#
#   docker build --tag gcore-workflows .
#   docker run --env GCORE_API_KEY --env TEMPORAL_ADDRESS gcore-workflows
#   docker run --env TEMPORAL_ADDRESS gcore-workflows gcore-workflows --help
#   docker run --publish 127.0.0.1:8081:8081 gcore-workflows node dist/simulator/main.js --host=0.0.0.0
#
# The base has glibc on purpose: Temporal's native library does not run on Alpine (musl).

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build \
    && rm -f dist/.tsbuildinfo \
    && chmod 755 dist/cli/main.js

FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
# Temporal's native library comes for five platforms, 27 MB each, and with its Rust sources.
RUN case "$(node -p process.arch)" in \
      x64) keep=x86_64-unknown-linux-gnu ;; \
      arm64) keep=aarch64-unknown-linux-gnu ;; \
      *) echo "Temporal has no native library for $(node -p process.arch)" >&2; exit 1 ;; \
    esac \
    && cd node_modules/@temporalio/core-bridge \
    && test -d "releases/$keep" \
    && find releases -mindepth 1 -maxdepth 1 ! -name "$keep" -exec rm -r {} + \
    && rm -r sdk-core
COPY examples examples
# Readable for the image's user, whatever the umask of the checkout was.
RUN chmod -R a+rX package.json examples

FROM node:22-bookworm-slim
# Temporal's native library trusts the system's certificates, and the slim base has none.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && ln -s /app/dist/cli/main.js /usr/local/bin/gcore-workflows
# Memory: Node takes half of a container's limit as its heap. NODE_OPTIONS=--max-old-space-size=768
# gives it three quarters of 1 GiB; the rest is for the native library. Set it where the limit is set.
ENV NODE_ENV=production
WORKDIR /app
# Owned by root: the process cannot change its own code. Nothing is written anywhere, so the root
# file system may be read-only.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/package.json package.json
COPY --from=dependencies /app/examples examples
COPY --from=build /app/dist dist
# By number, so that Kubernetes can tell that it is not root. It is the user `node` of the base.
USER 1000:1000
# Loads every part once: npm leaves out an optional dependency that fails to install, without a word.
RUN node -e "import('./dist/worker/run-worker.js').then(() => import('./dist/simulator/index.js'))" \
    && gcore-workflows --help >/dev/null
# The worker answers SIGTERM itself: no new work, 30 s for calls under way, gone after 45 s at the
# latest. The time until the kill must be longer (stop_grace_period, terminationGracePeriodSeconds).
STOPSIGNAL SIGTERM
# The base's entry point replaces itself by the command, which so receives the signals.
CMD ["node", "--enable-source-maps", "dist/worker/main.js"]

# The product is built with the image, so a start takes seconds.
# Data is in the volume /data. Variables: docs/configuration.md.
ARG NODE_VERSION=22

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
# Packages first, so that their layer is rebuilt only when the lock file changes.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build-image.mjs && npm prune --omit=dev --ignore-scripts

FROM node:${NODE_VERSION}-bookworm-slim
# Without APP_URL it listens on the container's loopback only.
ENV NODE_ENV=production PORT=3000 SLUICE_DATA_DIR=/data
WORKDIR /app
# Owned by root and run as node, so a compromised process cannot modify the program.
COPY --from=build /app /app
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "scripts/healthcheck.mjs"]
CMD ["node", "scripts/start.mjs"]

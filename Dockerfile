# Sluice in a container: built when the image is built, so that a start takes seconds and builds nothing.
# Its data folder is the volume /data; which variables there are says docs/operating.md.
ARG NODE_VERSION=22

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
# First what changes seldom: the packages are fetched again only where their list has changed.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build-image.mjs && npm prune --omit=dev --ignore-scripts

FROM node:${NODE_VERSION}-bookworm-slim
# Where it listens follows APP_URL: without one, on the container's own loopback alone.
ENV NODE_ENV=production PORT=3000 SLUICE_DATA_DIR=/data
WORKDIR /app
# The program is root's, and the process that runs it is not: a fault in it cannot alter it.
COPY --from=build /app /app
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "scripts/healthcheck.mjs"]
CMD ["node", "scripts/start.mjs"]

# Node runs the TypeScript as it is, so there is nothing to build: packages in one stage, the bot in the other.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY locales ./locales
COPY handlers ./handlers
COPY src ./src
RUN rm -r src/sandbox && mkdir data && chown node:node data
USER node
ENV NODE_ENV=production HOST=0.0.0.0
VOLUME /app/data
# tini passes SIGTERM on and reaps the encoders; the bot then finishes what runs.
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/main.ts"]

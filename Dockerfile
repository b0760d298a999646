# An image with nothing in it but Node, the bot's packages, a small ffmpeg, and the bot. Node runs the TypeScript as it is.

# Debian's ffmpeg brings 390 MB of codecs and desktop libraries, and starts slowly; this one has 2 MB.
FROM debian:bookworm-slim AS encoder
RUN sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources \
  && apt-get update \
  && apt-get install -y --no-install-recommends build-essential dpkg-dev libopus-dev nasm pkg-config
COPY scripts/encoder.sh .
RUN sh encoder.sh /encoder

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Debian is not Alpine: what was built for musl is never loaded.
RUN npm ci --workspaces=false --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@libsql/*-musl node_modules/@img/*linuxmusl*

# What Node would keep of the compiled bot from one start to the next, but cannot where nothing is written: a start takes three
# quarters of the time, and 12 MB less. The user's id is part of its name, so it is that of the image; like all else that is run
# there, the bot may read but not change it. On a processor with other features than this one's Node compiles anew, as without it.
FROM packages AS compiled
COPY locales ./locales
COPY handlers ./handlers
COPY scripts ./scripts
COPY src ./src
# The modes of the checkout are whatever its umask made them: every user of the image may read these files, and none may change them.
RUN chmod -R a+rX,go-w package.json locales handlers scripts src && install -d -o 10001 node_modules/.cache/compiled
USER 10001
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
RUN node --min-semi-space-size=8 --max-semi-space-size=8 --heap-growing-percent=100 scripts/keep-compiled.mjs && chmod -R a+rX node_modules/.cache/compiled

# Not the image of Node: npm and yarn have no business where the bot runs. The base image may be older than Debian's last corrections.
FROM debian:bookworm-slim
RUN apt-get update && apt-get upgrade -y && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY --from=encoder /encoder /usr/local
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
RUN ldconfig \
  && useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin lotsawa \
  && install -d -o lotsawa -g lotsawa -m 700 /app/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=compiled /app/package.json ./
COPY --from=compiled /app/locales ./locales
COPY --from=compiled /app/handlers ./handlers
COPY --from=compiled /app/scripts ./scripts
COPY --from=compiled /app/src ./src
COPY --from=compiled --chown=root:root /app/node_modules/.cache ./node_modules/.cache
USER lotsawa
# As npm start does: docs/operating.md, "Memory".
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "scripts/healthcheck.mjs"]
# The version of package.json, to which a test holds it; a release says the commit and the repository, too.
ARG VERSION=1.0.0 REVISION= SOURCE=
LABEL org.opencontainers.image.title=Lotsawa \
  org.opencontainers.image.description="A Telegram bot that reads, translates and speaks Tibetan" \
  org.opencontainers.image.licenses=MIT \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.source=$SOURCE
# Node is the first process: it takes SIGTERM, finishes what runs (up to 30 s), and waits for its encoders itself.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=8", "--heap-growing-percent=100", "src/main.mjs"]

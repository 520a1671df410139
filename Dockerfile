# One image for `serve` and `worker`. It runs as an ordinary user on a read-only file system; only DATA_DIR and /tmp are
# written. Debian-based, since the embedded PostgreSQL needs glibc.
FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY package.json package-lock.json .npmrc ./
# The packaged Node is for machines with an older one.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY bin bin
COPY scripts/launch.mjs scripts/env-file.mjs scripts/end-with-parent.mjs scripts/run.mjs scripts/setup.mjs scripts/
COPY migrations migrations
COPY docs docs
COPY sdk/README.md sdk/
COPY examples/shop/README.md examples/shop/
COPY CHANGELOG.md SECURITY.md LICENSE ./
COPY server server
COPY scripts/web scripts/web
COPY tsconfig.json openapi.json openapi-app.json ./
COPY web web
RUN node scripts/web/prebuild.ts
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD node -e "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
ENTRYPOINT ["bin/tributary"]
CMD ["serve"]

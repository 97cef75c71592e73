# The suite with k6 for its load tests: certifies what /suite/.env names, or its own sandbox.
FROM grafana/k6:2.2.0 AS k6

FROM node:20-slim
COPY --from=k6 /usr/bin/k6 /usr/local/bin/k6
WORKDIR /suite
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# A run writes its reports, its ledger and what its runners need here.
RUN mkdir -p reports/out reports/ledger reports/runners && chown -R node:node reports
USER node
ENTRYPOINT ["node", "--max-semi-space-size=8", "conformance.js"]
CMD ["certify"]

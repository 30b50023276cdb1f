# The server as an image: `docker build -t mahjong-parlour .`. See docs/operations.md and compose.yaml.
# Everything that is installed comes from a lock with hashes, as in a checkout.

FROM node:22-bookworm-slim AS page
WORKDIR /src/web-client
COPY web-client/package.json web-client/package-lock.json web-client/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY web-client/ ./
RUN npm run build

FROM python:3.12-slim-bookworm AS wheel
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /opt/parlour
COPY requirements/postgres.lock requirements/
RUN /opt/parlour/bin/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/postgres.lock
COPY pyproject.toml README.md LICENSE ./
COPY tools/hatch_build.py tools/
COPY engine/ engine/
COPY bots/ bots/
COPY server/ server/
COPY config/ config/
COPY --from=page /src/web-client/dist web-client/dist
RUN /opt/parlour/bin/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/parlour/bin/python -m pip install --quiet --no-deps --no-index /wheels/*.whl

FROM python:3.12-slim-bookworm
# A user of its own, and one folder that it may write: that user's folder of data, where everything is kept.
RUN groupadd --gid 10001 parlour \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/mahjong-parlour --shell /usr/sbin/nologin parlour \
    && install -d -o parlour -g parlour -m 0700 /var/lib/mahjong-parlour
COPY --from=wheel /opt/parlour /opt/parlour
ENV PATH=/opt/parlour/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PARLOUR_LISTEN_HOST=0.0.0.0 \
    PARLOUR_LISTEN_PORT=8000 \
    XDG_DATA_HOME=/var/lib
# By number: who runs the image can see that it is not root.
USER 10001:10001
WORKDIR /var/lib/mahjong-parlour
VOLUME /var/lib/mahjong-parlour
EXPOSE 8000
# It ends within a second: what is queued is written, and the tables stand again after the next start.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["parlour"]
CMD ["serve"]

# SPDX-License-Identifier: GPL-3.0-or-later
# PostgreSQL with privacct, on plain Debian:
#	docker build -t privacct .                                                     bookworm, 15
#	docker build -t privacct --build-arg SUITE=trixie --build-arg MAJOR=17 .
#	docker run -v privacct:/var/lib/postgresql -p 5432:5432 -e POSTGRES_PASSWORD=... privacct
# The cluster is made at the first start, and loads the library.
ARG SUITE=bookworm
FROM debian:${SUITE}-slim AS build
ARG MAJOR=15
ENV PG_CONFIG=/usr/lib/postgresql/${MAJOR}/bin/pg_config
WORKDIR /src
COPY scripts/install-packages.sh scripts/
RUN scripts/install-packages.sh
COPY . .
RUN make -j"$(nproc)" PG_CONFIG="$PG_CONFIG" && make PG_CONFIG="$PG_CONFIG" DESTDIR=/out install && \
	ldd privacct.so | sed -n 's/.*=> \(\/.*\) (.*/\1/p' | xargs -n1 readlink -f | xargs dpkg-query -S | cut -d: -f1 | sort -u >/out/packages

FROM debian:${SUITE}-slim
ARG MAJOR=15
ENV MAJOR=${MAJOR} PATH=/usr/lib/postgresql/${MAJOR}/bin:$PATH
COPY --from=build /out/ /
RUN mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf && \
	apt-get update && apt-get install -y --no-install-recommends "postgresql-$MAJOR" $(cat /packages) && \
	rm -rf /packages /var/lib/apt/lists/*
COPY scripts/container.sh /usr/local/bin/
VOLUME /var/lib/postgresql
EXPOSE 5432
USER postgres
ENTRYPOINT ["container.sh"]

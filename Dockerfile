# Images of salu. The packages are those that scripts/test installs.
#
#   docker build -t salu .                                       the program
#   docker run --rm -v "$PWD:/work" salu run programs/gcd.yaml
#   docker build --target tools -t salu-tools .                  everything to build and test salu
#   docker run --rm -it -v "$PWD:/salu" salu-tools scripts/test
#
# --build-arg SYSTEM=debian:13 selects another Debian, --build-arg LEVEL=--extra the packages for scripts/test --extra.
ARG SYSTEM=debian:12

FROM ${SYSTEM} AS tools
ARG LEVEL=
COPY scripts /opt/salu/scripts
RUN apt-get update -q && apt-get install -q -y --no-install-recommends git \
    && /opt/salu/scripts/test --install ${LEVEL} \
    && rm -rf /var/lib/apt/lists/* /opt/salu/build
WORKDIR /salu

FROM tools AS package
COPY . /salu
RUN scripts/run programs/gcd.yaml && cd build/release && cpack && cp packages/*.deb /salu.deb

FROM ${SYSTEM}
COPY --from=package /salu.deb /tmp/salu.deb
RUN apt-get update -q && apt-get install -q -y --no-install-recommends /tmp/salu.deb \
    && rm -rf /var/lib/apt/lists/* /tmp/salu.deb
WORKDIR /work
ENTRYPOINT ["salu"]

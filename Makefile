# The commands for developers. Each target installs its own prerequisites; see Scripts/setup.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo build test check-all api docs bench bench-scale bench-discovery bench-page fuzz lint format setup install deb

# Importing an undeclared sibling target is an error, so that the manifest lists all dependencies.
BUILD_FLAGS := --explicit-target-dependency-import-check error
# Makes builds of the tests and the demo faster. Nothing reads the debug information. Optimizing BoringSSL's C code takes
# no longer to compile and makes it faster to run: a backup's passphrase takes a second even in an optimized program.
# The index stays, because SwiftPM needs it to find XCTest tests.
TEST_FLAGS := $(BUILD_FLAGS) -debug-info-format none -Xcc -O2
# Linking Swift's libraries statically makes the program start faster, use less memory, and run without Swift installed.
# Exporting no symbols and packing the relocations leaves less of the program to read at the start. With a section for each
# function, the linker drops unused ones and puts those that the simulator, the hub and the agent execute next to each
# other, so that the kernel maps fewer pages; see Tools/order-functions. The functions without a name follow a linker
# script. C++'s library is static for the same reason: little of it is used. The linker finds it in a folder without the
# shared one.
FUNCTION_ORDER := $(CURDIR)/Packaging/function-order.txt
PRIVATE_FUNCTIONS := $(CURDIR)/Packaging/private-functions.ld
STATIC_LIBRARIES := $(CURDIR)/.build/static-libraries
LINK_FLAGS := -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
	-Xcc -ffunction-sections -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xlinker --symbol-ordering-file=$(FUNCTION_ORDER) -Xlinker --no-warn-symbol-ordering \
	-Xlinker -T -Xlinker $(PRIVATE_FUNCTIONS) \
	-Xswiftc -Xclang-linker -Xswiftc -L$(STATIC_LIBRARIES)
# NDEBUG leaves out BoringSSL's assertions, as its own release builds do: they check each step of its arithmetic, and take
# nearly a third of the time of verifying a signature.
RELEASE_FLAGS := --configuration release --static-swift-stdlib $(BUILD_FLAGS) $(LINK_FLAGS) -Xcc -DNDEBUG
SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources/hearth-bench Benchmarks/Sources/discovery-bench Fuzzing \
	Examples/GarageDoor/Package.swift Examples/GarageDoor/Sources Examples/GarageDoor/Tests
FORMAT_PAGE := DENO_NO_UPDATE_CHECK=1 .build/format/bin/deno fmt --quiet --line-width 120
CRASH_RUNS ?= 500
# The version of Home Assistant's page that ours is compared with.
HOME_ASSISTANT_PAGE := 20261028.6
PREFIX ?= /usr/local
export FUZZ_SECONDS ?= 60

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 14

# The build that the tests use compiles in about half the time, and the demo home is as quick with it.
demo: ## Build Hearth and run the demo home until Ctrl-C
	@Scripts/setup build
	@echo "Building Hearth. The first build takes a few minutes."
	@swift build --product hearth $(TEST_FLAGS)
	@exec .build/debug/hearth demo --files Examples/DemoHome $(DEMO_FLAGS)

test: setup lint ## Check the sources and run all tests
	swift build --build-tests $(TEST_FLAGS)
	Scripts/build-docs
	Tools/api-ledger --check
	Scripts/run-tests
	Scripts/test-docs
	Scripts/test-page --quick

build: ## Build everything, including tests
	@Scripts/setup build
	swift build --build-tests $(TEST_FLAGS)

check-all: test ## Run all tests and the slow checks
	$(MAKE) demo DEMO_FLAGS=--once
	HEARTH_CRASH_RUNS=$(CRASH_RUNS) Scripts/run-tests HomeStoreTests
	HEARTH_LONG_SIMULATION=1 Scripts/run-tests ConsensusTests
	Scripts/run-tests --in-real-time
	HEARTH_TEST_LINK=loopback Scripts/run-tests HomeKitTestingTests
	Scripts/test-package "$$($(MAKE) --silent deb | tail -n 1)"
	Scripts/test-home-assistant
	Scripts/test-openapi
	Scripts/test-page --screens .build/screens
	Scripts/test-speech
	Scripts/test-mcp
	Scripts/fresh-package
	Scripts/test-example
	Scripts/fuzz --build
	swift build -c release --package-path Benchmarks $(BUILD_FLAGS)

$(STATIC_LIBRARIES)/libstdc++.a:
	@mkdir -p $(@D)
	@ln -sf "$$(clang -print-file-name=$(@F))" $@

install: $(STATIC_LIBRARIES)/libstdc++.a ## Install Hearth under PREFIX and DESTDIR
	@Scripts/setup build
	swift build --product hearth $(RELEASE_FLAGS)
	Scripts/install $(PREFIX)

deb: $(STATIC_LIBRARIES)/libstdc++.a ## Build the Debian package and print its path
	@Scripts/setup package
	@swift build --product hearth $(RELEASE_FLAGS)
	@Scripts/make-deb

api: ## Compare the modules with Apple's API
	@for module in HomeKit AVFoundation AVKit MediaPlayer; do swift build --target $$module $(TEST_FLAGS); done
	@Scripts/symbol-graph HomeKit AVFoundation AVKit MediaPlayer CoreMedia
	@Tools/api-ledger

docs: ## Build the documentation as a site
	@Scripts/setup docs
	@swift build --product hearth $(TEST_FLAGS)
	@swift build --target HomeKitTesting $(TEST_FLAGS)
	@Scripts/build-docs

bench: setup $(STATIC_LIBRARIES)/libstdc++.a ## Measure performance, compared with HAP-python
	swift build --product hearth $(RELEASE_FLAGS)
	swift build --product store-crash-child $(RELEASE_FLAGS)
	swift build --product lossless-decoder $(RELEASE_FLAGS)
	swift build -c release --product hearth-bench --package-path Benchmarks $(BUILD_FLAGS)
	@Benchmarks/.build/release/hearth-bench --hearth .build/release/hearth --python .build/peers/bin/python \
		--folder Benchmarks $(BENCH_FLAGS)

bench-scale: setup $(STATIC_LIBRARIES)/libstdc++.a ## Measure a hub with fifty full bridges
	swift build --product hearth $(RELEASE_FLAGS)
	swift build -c release --product hearth-bench --package-path Benchmarks $(BUILD_FLAGS)
	@Benchmarks/.build/release/hearth-bench --hearth .build/release/hearth --python .build/peers/bin/python \
		--folder Benchmarks --scale $(BENCH_FLAGS)

fuzz: ## Fuzz each target for FUZZ_SECONDS
	@Scripts/setup build
	Scripts/fuzz $(FUZZ_TARGETS)

bench-discovery: setup ## Measure discovery of many services
	swift build -c release --product discovery-bench --package-path Benchmarks $(BUILD_FLAGS)
	@Benchmarks/.build/release/discovery-bench --python .build/peers/bin/python --folder Benchmarks $(BENCH_FLAGS)

bench-page: $(STATIC_LIBRARIES)/libstdc++.a ## Measure the page in a browser
	@Scripts/setup browser
	swift build --product hearth $(RELEASE_FLAGS)
	.build/page/bin/python -m pip download --quiet --no-deps --ignore-requires-python --dest .build/page \
	    home-assistant-frontend==$(HOME_ASSISTANT_PAGE)
	.build/page/bin/python Tests/Peers/page/bench.py --hearth .build/release/hearth \
	    --home-assistant .build/page/home_assistant_frontend-$(HOME_ASSISTANT_PAGE)-py3-none-any.whl $(BENCH_FLAGS)

lint: ## Check formatting and generated files
	@python3 -m doctest Tools/swift_source.py
	swift format lint --strict --parallel --recursive $(SOURCES)
	@Scripts/setup format
	$(FORMAT_PAGE) --check Sources/HomePage/Files/*.js Sources/HomePage/Files/*.css Tools/site/*.js Tools/site/*.css
	@for generator in Tools/generate-*; do echo "$$generator --check"; "$$generator" --check; done

format: ## Format the sources
	swift format --in-place --parallel --recursive $(SOURCES)
	@Scripts/setup format
	$(FORMAT_PAGE) Sources/HomePage/Files/*.js Sources/HomePage/Files/*.css Tools/site/*.js Tools/site/*.css

setup: ## Install the prerequisites of building and testing
	@Scripts/setup test

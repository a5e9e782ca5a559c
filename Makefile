# The commands of daily work. The reasoning behind them is in tests/support/setup.

ensure := sh tests/support/setup/ensure.sh
lyceum = cargo run --profile $(profile) --quiet -p lyceum-cli --bin lyceum --
# Quick to build and quick enough to look around in. `make release` packs what is as fast as it can be.
profile = quick

# Where `ensure` puts Node.js if the machine's own is not new enough.
export PATH := $(HOME)/.cache/lyceum/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help run demo test test-all test-faults test-power contract-test simulate fuzz audit eval bench bench-peers bench-scorm placement check screenshots release publish-check clean

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

run: build ## Build the binary quickly and serve (ARGS="…" is passed on)
	@$(lyceum) $(ARGS)

demo: build ## Build the binary quickly and take it through a whole course
	@$(lyceum) demo $(ARGS)

everything := rust c_compiler postgres pgbouncer python node chromium curl jq unzip schemathesis wrk

test: ## Run the quick tests: units, contracts, the API, the architecture, a walk through each page in a browser
	@$(ensure) rust c_compiler postgres pgbouncer node chromium
	@sh tests/support/setup/run_tests.sh quick $(ARGS)

test-all: ## Run every test; installs PostgreSQL, Node.js, Chromium and the like where it may
	@$(ensure) $(everything)
	@sh tests/support/setup/run_tests.sh all $(ARGS)

test-faults: ## Kill, pause, starve and cut off the real binary, for longer than `make test-all` does
	@$(ensure) rust c_compiler postgres jq
	@sh tests/support/setup/run_faults.sh $(ARGS)

test-power: ## Cut the power of the disk under the service ten times (ROUNDS=…); needs FUSE
	@$(ensure) rust c_compiler fuse
	cargo build -p lyceum-cli --bin lyceum --features otel
	python3 tests/faults/power/cuts.py "$$(cargo metadata --format-version 1 --no-deps \
		| sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')/debug/lyceum" $(or $(ROUNDS),10)

contract-test: ## Let a hostile client loose on the API, for longer than `make test-all` does
	@$(ensure) rust c_compiler schemathesis
	cargo build -p lyceum-cli --bin lyceum --features otel
	CONTRACT_SEEDS="$${CONTRACT_SEEDS:-1 2 3}" CONTRACT_SECONDS="$${CONTRACT_SECONDS:-120}" \
		cargo test -p lyceum-tests --test e2e contract -- --nocapture

simulate: ## Simulate 1000 seeds of faults (SEEDS=…), or tell everything of one (SEED=…)
	@$(ensure) rust c_compiler
	@if [ -n "$(SEED)" ]; then export SEED=$(SEED) SEEDS=$(or $(SEEDS),1); else export SEEDS=$(or $(SEEDS),1000); fi; \
		cargo test --profile simulate -p lyceum-simulation --test seeds every_promise -- --nocapture

fuzz: ## Let a fuzzer loose on every door for 60 s each (FUZZ_SECONDS=…); needs a nightly compiler
	@$(ensure) rust c_compiler nightly cargo_fuzz
	@cd fuzz && for target in fuzz_targets/*.rs; do \
		name=$$(basename $$target .rs) && found=$$(mktemp -d) && echo "$$name" >&2 && \
		cargo +nightly fuzz run -s none $$name $$found corpus/$$name -- -timeout=30 -max_len=65536 \
			-max_total_time=$${FUZZ_SECONDS:-60} -print_final_stats=1 || exit 1; \
		rm -rf $$found; \
	done

audit: ## Hold what comes from others against advisories, licences and floors (ADVISORIES=FOLDER: those stored there)
	@$(ensure) rust cargo_deny
	@ADVISORIES="$(ADVISORIES)" sh tests/support/setup/audit.sh

eval: profile = release
eval: build ## Hold the built-in grader against people on both data sets; reports go to target/eval
	mkdir -p target/eval
	@for data in saf-v1 semeval2013-task7; do \
		echo "$$data" >&2; \
		$(lyceum) eval grade --provider builtin --anchors 0,3,5,10,20 \
			--answers "tests/data/$$data/answers.csv" --questions "tests/data/$$data/questions.jsonl" \
			--out "target/eval/$$data.json" --html "target/eval/$$data.html" || exit 1; \
	done
	@$(lyceum) eval injections --provider builtin --out target/eval/injections.json

# Both in one build: each alone would have what they share built anew, with other features.
bench_build := cargo build -p lyceum-cli --bin lyceum -p lyceum-bench --bin lyceum-bench
profile_folder = $(patsubst dev,debug,$(or $(PROFILE),dist))
target_folder = $$(cargo metadata --format-version 1 --no-deps | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')

bench: ## Measure the server against its machine (ARGS="--only get,post"); the report goes to target/bench
	@$(ensure) rust c_compiler wrk postgres
	$(bench_build) --profile dist
	mkdir -p target/bench
	"$(target_folder)/dist/lyceum-bench" --json target/bench/report.json --html target/bench/report.html $(ARGS)

bench-peers: ## Measure it beside what a team would pick instead (SERVER=FILE: another binary); figures go to target/bench
	@$(ensure) rust c_compiler wrk postgres python
	$(if $(SERVER),,$(bench_build) --profile dist)
	python3 bench/peers --lyceum "$(or $(SERVER),$(target_folder)/dist/lyceum)" --json target/bench/peers.json $(ARGS)

placement: ## Simulate 100 000 workspaces over clusters (ARGS="--exponent 1 --seeds 3")
	@$(ensure) python
	@python3 bench/placement $(ARGS)

bench-scorm: ## Time the SCORM writer against simple-scorm-packager; no test depends on it
	@$(ensure) rust c_compiler node
	npm ci --prefix tests/e2e/scorm_player --ignore-scripts --no-audit --no-fund
	cargo build --release -p lyceum-scorm --example bench
	node tests/e2e/scorm_player/bench.mjs "$$(cargo metadata --format-version 1 --no-deps \
		| sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')/release/examples/bench"

check: ## Formatting, lints and every test: what has to pass before a change lands
	@$(ensure) rust c_compiler
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --features lyceum-cli/otel -- -D warnings
	@$(MAKE) --no-print-directory test-all

screenshots: ## Take the pictures of texts, the SCORM player and the console for the handbook anew
	@$(ensure) rust c_compiler node chromium
	rm -rf target/screenshots && mkdir -p target/screenshots docs/images
	cargo run --quiet -p lyceum-scorm --example sample_package -- 2004 target/screenshots/en.zip en
	cargo run --quiet -p lyceum-scorm --example sample_package -- 2004 target/screenshots/ar.zip ar
	cd tests/e2e/scorm_player && npm ci --ignore-scripts --no-audit --no-fund --silent
	node tests/e2e/scorm_player/screenshots.mjs target/screenshots/en.zip target/screenshots/ar.zip docs/images
	cargo build --quiet -p lyceum-markdown --example page
	node tests/e2e/scorm_player/constructs.mjs "$(target_folder)/debug/examples/page" docs/content.md docs/images
	cargo build --quiet -p lyceum-cli --bin lyceum --features otel
	node tests/e2e/scorm_player/languages_pictures.mjs "$(target_folder)/debug/lyceum" docs/images
	cd tests/e2e/console && npm ci --ignore-scripts --no-audit --no-fund --silent
	node tests/e2e/console/screenshots.mjs "$(target_folder)/debug/lyceum" docs/images

# A program that was built once to see what it does, and once by that: a third less of the processor for a GET on SQLite.
tuned = $(if $(filter no,$(TUNED)),,yes)

release: ## Pack binary, manual, completions and unit into target/release-artifacts (TUNED=no, PROFILE=release: built faster)
	@$(ensure) rust c_compiler $(if $(tuned),wrk postgres)
	$(if $(tuned),sh packaging/tuned_build.sh,cargo build --locked -p lyceum-cli --bin lyceum --profile) $(or $(PROFILE),dist)
	sh packaging/release.sh "$(target_folder)/$(if $(tuned),tuned,$(profile_folder))/lyceum" target/release-artifacts

# The libraries that others may build on, each after those it needs.
publish_folder = $(or $(CARGO_TARGET_DIR),target)/publish-check
published := lyceum-domain lyceum-ports lyceum-wire lyceum-markdown lyceum-application lyceum-client

# What an earlier try unpacked and built has the same version, and cargo would take it for this one.
publish-check: ## See that the libraries could be published, without publishing them; needs the registry
	@$(ensure) rust c_compiler
	rm -rf "$${CARGO_HOME:-$$HOME/.cargo}"/registry/src/-*/lyceum-*
	if [ -d "$(publish_folder)" ]; then find "$(publish_folder)" -name '*lyceum*' -prune -exec rm -rf {} +; fi
	cargo publish --dry-run --locked --target-dir "$(publish_folder)" $(foreach crate,$(published),-p $(crate)) $(ARGS)

clean: ## Remove everything that was built
	cargo clean
	rm -rf tests/e2e/*/node_modules tests/e2e/typescript_client/generated

.PHONY: build
build:
	@$(ensure) rust c_compiler
	cargo build --profile $(profile) -p lyceum-cli --bin lyceum

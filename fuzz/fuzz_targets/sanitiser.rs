#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lyceum_fuzzing::fuzz("sanitiser", data));

//! Any bytes are read as a network without a panic and without much memory; what
//! is a network is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shido_net::Model;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = Model::read(bytes) {
        assert_eq!(Model::read(&model.to_bytes()).as_ref(), Ok(&model));
        assert_eq!(Model::read(model.to_text().as_bytes()), Ok(model));
    }
});

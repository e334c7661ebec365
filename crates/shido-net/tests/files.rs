//! Network files: what is written is read back, and what is wrong is refused.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use shido_net::tiny::{Part, Plan, Turn, zoo};
use shido_net::{Model, Problem};

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes any bytes");
    encoder.finish().expect("memory takes any bytes")
}

#[test]
fn what_is_written_is_read_back() {
    for (what, model) in zoo() {
        let (binary, text) = (model.to_bytes(), model.to_text());
        for bytes in [&binary[..], text.as_bytes(), &packed(&binary)] {
            let read = Model::read(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(read == model, "{what}");
        }
        // One way to write a network, whatever it was read from.
        assert_eq!(Model::read(text.as_bytes()).unwrap().to_bytes(), binary);
    }
}

#[test]
fn weights_are_counted() {
    let model = smallest(8);
    let text = model.to_text();
    // A decimal weight is what has an exponent; an epsilon has none.
    let weights = text
        .lines()
        .filter(|line| line.parse::<f32>().is_ok() && line.contains('e'));
    assert_eq!(model.weight_count(), weights.count());
}

#[test]
fn packed_text_is_read() {
    let model = Plan::new(12).build();
    let read = Model::read(&packed(model.to_text().as_bytes()));
    assert_eq!(read.as_ref(), Ok(&model));
}

/// A network small enough to try every byte of.
fn smallest(version: u32) -> Model {
    Plan {
        channels: 3,
        first_kernel: 1,
        blocks: vec![
            Part::Attention {
                heads: 2,
                kv_heads: 1,
                query_width: 2,
                value_width: 1,
                turn: Turn::Learned,
            },
            Part::FeedForward { gated: true },
            Part::Nested(vec![Part::GlobalPooling]),
        ],
        ..Plan::new(version)
    }
    .build()
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = smallest(17).to_bytes();
    // The last byte is a line's end that nobody misses.
    for len in (0..bytes.len() - 1).step_by(13) {
        let error = Model::read(&bytes[..len]).expect_err("it is cut");
        assert!(error.offset <= len as u64, "{len}: {error}");
        let problem = &error.problem;
        let told = match len {
            0 => matches!(problem, Problem::Empty),
            // A number may be cut to another one.
            _ => !matches!(problem, Problem::LeftOver | Problem::Gzip(_)),
        };
        assert!(told, "{len}: {error}");
    }
    let packed = packed(&bytes);
    for len in (2..packed.len()).step_by(17) {
        let error = Model::read(&packed[..len]).expect_err("it is cut");
        assert!(matches!(error.problem, Problem::Gzip(_)), "{len}: {error}");
    }
}

#[test]
fn damage_anywhere_does_no_harm() {
    let bytes = smallest(15).to_bytes();
    // Coprime steps, so that every kind of byte is met.
    for (at, flip) in (0..bytes.len())
        .step_by(7)
        .zip([0x01, 0x80, 0x20].iter().cycle())
    {
        let mut damaged = bytes.clone();
        damaged[at] ^= flip;
        // Many a damaged weight is still a weight.
        if let Ok(model) = Model::read(&damaged) {
            assert_eq!(Model::read(&model.to_bytes()), Ok(model));
        }
    }
}

#[test]
fn damage_inside_the_packing_is_found() {
    let packed = packed(&smallest(8).to_bytes());
    // After the header of the packing, whose flags and times may say anything.
    for at in (10..packed.len()).step_by(11) {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x01;
        assert!(Model::read(&damaged).is_err(), "byte {at}");
    }
}

/// Changes a network's text and compares how it is refused.
#[track_caller]
fn check(model: &Model, from: &str, to: &str, expected: &str) {
    let text = model.to_text();
    assert!(text.contains(from), "there is no {from:?}");
    let error = Model::read(text.replacen(from, to, 1).as_bytes()).expect_err(to);
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn an_error_says_what_and_where() {
    let model = Plan::new(11).build();
    check(
        &model,
        "\n11\n",
        "\n7\n",
        "model version 7 is not one of 8 to 17 (header, byte 17)",
    );
    check(&model, "\n11\n", "\n18\n", "model version 18");
    check(
        &model,
        "\n11\n",
        "\neleven\n",
        "expected the model version, found `eleven`",
    );
    check(
        &model,
        "\n22\n",
        "\n21\n",
        "input planes: 21, but 22 would fit (header",
    );
    check(
        &model,
        "trunk\n2\n",
        "trunk\n0\n",
        "the number of blocks is 0, not 1 to 1024 (trunk",
    );
    check(
        &model,
        "trunk\n2\n13\n",
        "trunk\n2\n99999999999\n",
        "trunk channels is 99999999999",
    );
    check(
        &model,
        "ordinary_block",
        "dilated_block",
        "unknown kind of block `dilated_block` (trunk, block 1 (ordinary",
    );
    check(
        &model,
        "ACTIVATION_RELU",
        "RELU",
        "unknown activation `RELU`",
    );
    // The second block's last convolution makes one channel too few.
    let conv2 = "\n3\n3\n9\n13\n1\n1\n";
    check(
        &model,
        conv2,
        "\n3\n3\n9\n12\n1\n1\n",
        "output channels: 12, but 13 would fit (trunk, block 2 (gpool",
    );
    check(&model, conv2, "\n3\n3\n8\n13\n1\n1\n", "conv2, byte");
    check(
        &model,
        conv2,
        "\n4\n3\n9\n13\n1\n1\n",
        "the kernel's height is 4, but must be odd",
    );
    check(
        &model,
        conv2,
        "\n3\n3\n9\n13\n0\n1\n",
        "the dilation is 0, not 1 to 37",
    );
    check(
        &model,
        "\n0.001\n",
        "\n0\n",
        "the norm's epsilon is 0, but must be positive",
    );
    check(
        &model,
        "\n0.001\n0\n",
        "\n0.001\n2\n",
        "whether there is a scale is 2, not 0 to 1",
    );
    check(&model, "valuehead\n", "", "value head");
}

#[test]
fn weights_must_be_numbers() {
    let model = Plan::new(8).build();
    let first = format!("{:e}\n", model.trunk.initial_conv.weights[0]);
    for (word, expected) in [
        (
            "inf\n",
            "weight 0 is not finite (trunk, initial conv, byte ",
        ),
        ("NaN\n", "weight 0 is not finite"),
        ("1e99\n", "weight 0 is not finite"),
        ("x\n", "expected a weight, found `x`"),
    ] {
        check(&model, &first, word, expected);
    }
    let mut model = model;
    model.trunk.initial_matrix.weights[1] = f32::NAN;
    let error = Model::read(&model.to_bytes()).expect_err("not a number");
    assert_eq!(error.problem, Problem::NotFinite { index: 1 });
    assert_eq!(error.path, ["trunk", "initial matrix"]);
}

#[test]
fn newer_fields_are_refused_where_they_are_set() {
    let model = smallest(17);
    let policy = "policyhead\n2\n0\n0\n0\n";
    check(
        &model,
        policy,
        "policyhead\n3\n0\n0\n0\n",
        "the number of policies is 3, but must be 2 or 4",
    );
    check(
        &model,
        policy,
        "policyhead\n2\n0\n1\n0\n",
        "a reserved field is 1, not 0 to 0 (policy head",
    );
    check(
        &model,
        "attention3\n2\n1\n",
        "attention3\n2\n3\n",
        "a divisor of the number of heads",
    );
    check(&model, "\n1\n1\n2\n", "\n1\n1\n3\n", "rotation");
    check(
        &model,
        "150\n0\n0\n",
        "150\n2\n0\n",
        "the metadata encoder's version is 2",
    );
    check(
        &model,
        "\n20\n",
        "\n-20\n",
        "a multiplier is -20, but must be positive",
    );
}

#[test]
fn a_longer_file_is_refused() {
    let mut bytes = smallest(8).to_bytes();
    bytes.extend(b" \n\n");
    assert!(Model::read(&bytes).is_ok(), "space is nothing");
    bytes.push(b'x');
    let error = Model::read(&bytes).expect_err("it goes on");
    assert_eq!(error.problem, Problem::LeftOver);
    assert_eq!(error.offset, bytes.len() as u64 - 1);
}

#[test]
fn a_foreign_file_is_refused_at_once() {
    let zip = b"PK\x03\x04\x14\x00\x00\x00";
    let html = b"<!DOCTYPE html>\n<html>Not found</html>";
    for (bytes, message) in [
        (&b""[..], "the file is empty (byte 0)"),
        (
            &b"\n\n"[..],
            "the file ends where the network's name should be",
        ),
        (
            &zip[..],
            "expected the network's name, found `PK` (header, byte 0)",
        ),
        (
            &html[..],
            "expected the model version, found `html>` (header, byte 10)",
        ),
        (&[0x1f, 0x8b, 9, 9][..], "the gzip data is damaged"),
        (
            &packed(b"<html>")[..],
            "the file ends where the model version should be",
        ),
    ] {
        let error = Model::read(bytes).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
    // A name that never ends.
    let error = Model::read(&packed(&vec![b'a'; 1 << 20])).expect_err("no word is that long");
    assert!(error.to_string().contains("found `aaaa"), "{error}");
}

#[test]
fn nests_have_an_end() {
    let nest =
        |depth| (0..depth).fold(vec![Part::Ordinary], |blocks, _| vec![Part::Nested(blocks)]);
    let model = |depth| {
        Plan {
            blocks: nest(depth),
            ..Plan::new(14)
        }
        .build()
        .to_bytes()
    };
    assert!(Model::read(&model(4)).is_ok());
    let error = Model::read(&model(5)).expect_err("too deep").to_string();
    assert!(error.contains("the depth of nested blocks is 5"), "{error}");
}

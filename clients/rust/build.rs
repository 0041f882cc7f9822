//! Generates the messages and stubs. The compiler of the protos comes with the crate `protox`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use tonic_prost_build::Config;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new("protos/adamas/v1");
    println!("cargo:rerun-if-changed=protos");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|found| found.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "proto"));
    files.sort();
    let descriptors = protox::compile(&files, ["protos"])?;
    fs::write(
        Path::new(&env::var("OUT_DIR")?).join("adamas.binpb"),
        prost_bytes(&descriptors),
    )?;
    tonic_prost_build::configure()
        .build_server(true)
        .compile_fds_with_config(descriptors, Config::new())?;
    Ok(())
}

fn prost_bytes(descriptors: &impl protox::prost::Message) -> Vec<u8> {
    descriptors.encode_to_vec()
}

//! `lyceum`: see `lyceum --help`.

fn main() -> std::process::ExitCode {
    lyceum_server::cli::main()
}

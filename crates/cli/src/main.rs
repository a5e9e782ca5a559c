//! `lyceum`: see `lyceum --help`.

/// A request is some hundred small allocations, on one thread and freed there: that is what this one is made for.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    lyceum_cli::cli::main()
}

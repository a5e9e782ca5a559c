//! What CI builds again of a new clone: what changed, and whatever may have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::root;

const SCRIPT: &str = "tests/support/setup/keep_times.sh";

fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.with_file_name("kept"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "Somebody")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "a@school.example")))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    said
}

/// A crate of two files in a repository, and a clone of it that is made again and again in one place.
struct Project {
    _folder: TempDir,
    origin: PathBuf,
    clone: PathBuf,
}

impl Project {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let project = Self {
            origin: folder.path().join("origin"),
            clone: folder.path().join("clone"),
            _folder: folder,
        };
        fs::create_dir(&project.origin).unwrap();
        run(&project.origin, "git", &["init", "--quiet"]);
        let manifest = "[package]\nname = \"one\"\nedition = \"2024\"\n";
        project.write("Cargo.toml", manifest);
        project.write(
            "Cargo.lock",
            "version = 4\n[[package]]\nname = \"one\"\nversion = \"0.0.0\"\n",
        );
        project.write("src/lib.rs", "mod two;\npub use two::two;\n");
        project.write(SCRIPT, &fs::read_to_string(root().join(SCRIPT)).unwrap());
        project.says(2);
        project
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.origin.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Commits that the second file says this.
    fn says(&self, number: u8) {
        let text = format!("pub fn two() -> u8 {{\n    {number}\n}}\n");
        self.write("src/two.rs", &text);
        run(&self.origin, "git", &["add", "--all"]);
        run(
            &self.origin,
            "git",
            &["commit", "--quiet", "--message", "Say it"],
        );
    }

    /// A new clone, whose files have the times of the one before.
    fn clone_anew(&self) {
        if self.clone.exists() {
            fs::remove_dir_all(&self.clone).unwrap();
        }
        let (origin, clone) = (self.origin.to_str().unwrap(), self.clone.to_str().unwrap());
        run(&self.origin, "git", &["clone", "--quiet", origin, clone]);
        let kept = self.clone.with_file_name("kept");
        run(&self.clone, "sh", &[SCRIPT, kept.to_str().unwrap()]);
    }

    /// Whether cargo finds anything to do.
    fn is_built_again(&self) -> bool {
        let said = run(
            &self.clone,
            env!("CARGO"),
            &["build", "--offline", "--verbose"],
        );
        let is_fresh = said.contains("Fresh one");
        assert_ne!(is_fresh, said.contains("Running `"), "{said}");
        !is_fresh
    }
}

#[test]
fn a_new_clone_builds_what_changed_and_nothing_else() {
    let project = Project::new();
    project.clone_anew();
    assert!(project.is_built_again(), "nothing was built before");
    project.clone_anew();
    assert!(!project.is_built_again(), "nothing changed");
    project.says(3);
    project.clone_anew();
    assert!(project.is_built_again(), "a file changed");
    // A run that was cut off before it built, and a change that was taken back after it.
    project.says(4);
    project.clone_anew();
    project.says(3);
    project.clone_anew();
    assert!(
        project.is_built_again(),
        "what is there may be of the change"
    );
    project.clone_anew();
    assert!(!project.is_built_again());
}

#[test]
fn what_is_not_committed_keeps_its_time() {
    let project = Project::new();
    project.clone_anew();
    assert!(project.is_built_again());
    let file = project.clone.join("src/two.rs");
    fs::write(&file, "pub fn two() -> u8 {\n    5\n}\n").unwrap();
    let kept = project.clone.with_file_name("kept");
    run(&project.clone, "sh", &[SCRIPT, kept.to_str().unwrap()]);
    assert!(project.is_built_again());
}

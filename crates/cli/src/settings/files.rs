//! Where packages and media are kept, and who hands them out.

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use lyceum_blobs::{Presigning, check_presigning};

/// Whether a bucket hands media and recordings out itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Presigned {
    /// Browsers are sent to it with presigned URLs.
    On,
    /// The service does.
    Off,
}

/// Settings of the file storage.
#[derive(Debug, Clone, Args)]
pub struct FileSettings {
    /// Where packages are kept: `file:///FOLDER` (in the data folder when absent) or `s3://BUCKET/PREFIX`.
    #[arg(long, env = "LYCEUM_BLOBS_URL", global = true)]
    pub blobs_url: Option<String>,

    /// Whether browsers are sent to the bucket for pictures, recordings and films, with presigned URLs; they must reach it.
    #[arg(
        long,
        env = "LYCEUM_BLOBS_PRESIGNED",
        value_enum,
        default_value = "off",
        global = true
    )]
    pub blobs_presigned: Presigned,

    /// Endpoint by which browsers reach the bucket, such as `https://files.example.org`; that of `AWS_ENDPOINT` when absent.
    #[arg(long, env = "LYCEUM_BLOBS_PUBLIC_ENDPOINT", global = true)]
    pub blobs_public_endpoint: Option<String>,
}

impl FileSettings {
    /// Whether the bucket hands files out itself, and where.
    pub fn presigning(&self) -> Presigning {
        match self.blobs_presigned {
            Presigned::Off => Presigning::Off,
            Presigned::On => Presigning::On {
                endpoint: self.blobs_public_endpoint.clone(),
            },
        }
    }

    /// Whether files can be kept at `url`, and handed out as was decided; nothing is made or asked.
    ///
    /// # Errors
    /// By the name of the setting.
    pub fn check(&self, url: &str) -> anyhow::Result<()> {
        lyceum_blobs::check(url).context("LYCEUM_BLOBS_URL")?;
        if self.blobs_presigned == Presigned::Off && self.blobs_public_endpoint.is_some() {
            bail!(
                "LYCEUM_BLOBS_PUBLIC_ENDPOINT: nobody is sent there unless LYCEUM_BLOBS_PRESIGNED is on"
            );
        }
        let presigning = self.presigning();
        // What else can be wrong with a bucket is not of the endpoint.
        let where_to = Presigning::On { endpoint: None };
        if presigning != Presigning::Off {
            check_presigning(url, &where_to).context("LYCEUM_BLOBS_PRESIGNED")?;
        }
        check_presigning(url, &presigning).context("LYCEUM_BLOBS_PUBLIC_ENDPOINT")
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::Settings;

    fn refusal(flags: &[&str]) -> Option<String> {
        let settings = Settings::from_flags(flags.to_vec()).unwrap();
        let refused = settings.decided().err()?;
        Some(format!("{refused:#}"))
    }

    #[test]
    fn a_folder_sends_nobody_anywhere_and_says_so() {
        let said = refusal(&["--blobs-presigned", "on"]).unwrap();
        assert_eq!(
            said,
            "LYCEUM_BLOBS_PRESIGNED: files cannot be handed out by presigned URLs: a folder has none, only a bucket \
             (s3://BUCKET/PREFIX) has"
        );
        let bucket = ["--blobs-url", "s3://lyceum/files"];
        let on = [&bucket[..], &["--blobs-presigned", "on"]].concat();
        assert_eq!(refusal(&on), None);
        assert_eq!(refusal(&bucket), None);
    }

    #[test]
    fn where_browsers_reach_the_bucket_is_an_address_of_the_web_and_of_use() {
        let flags = |presigned, endpoint| {
            let bucket = ["--blobs-url", "s3://lyceum/files"];
            let more = [
                "--blobs-presigned",
                presigned,
                "--blobs-public-endpoint",
                endpoint,
            ];
            [&bucket[..], &more[..]].concat()
        };
        for good in ["https://files.example.org", "http://localhost:9000/"] {
            assert_eq!(refusal(&flags("on", good)), None);
            let said = refusal(&flags("off", good)).unwrap();
            assert!(
                said.starts_with("LYCEUM_BLOBS_PUBLIC_ENDPOINT: nobody is sent"),
                "{said}"
            );
        }
        for bad in [
            "files.example.org",
            "https://files.example.org/lyceum",
            "https://me@files.example.org",
        ] {
            let said = refusal(&flags("on", bad)).unwrap();
            assert!(
                said.starts_with("LYCEUM_BLOBS_PUBLIC_ENDPOINT: the endpoint must"),
                "{said}"
            );
        }
    }
}

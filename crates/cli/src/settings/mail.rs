//! Where mail goes, and as whom.

use std::path::PathBuf;

use clap::Args;
use lyceum_service::settings::MailSettings;

/// Settings of mail. They hold a password, so nothing shows them: they have no `Debug`.
#[derive(Clone, Args)]
pub struct MailChoice {
    /// Mail server that invitations and sign-in links are sent by, such as `smtp://name:password@mail.example.org:587` (STARTTLS) or
    /// `smtps://…:465`; without one, links are shown to hand on.
    #[arg(long, env = "LYCEUM_SMTP_URL", hide_env_values = true, global = true)]
    pub smtp_url: Option<String>,

    /// Whose mail it is, such as `Lyceum <lyceum@example.org>`.
    #[arg(long, env = "LYCEUM_MAIL_FROM", global = true)]
    pub mail_from: Option<String>,

    /// Folder with texts that take the place of those in the binary, such as `de/invitation.txt`.
    #[arg(long, env = "LYCEUM_MAIL_TEMPLATES", global = true)]
    pub mail_templates: Option<PathBuf>,
}

impl MailChoice {
    /// What was decided, for a service at this address; `None` where no mail is sent.
    ///
    /// # Errors
    /// By the name of the setting, and never with what it says: that may be a password.
    pub fn decided(&self, service: &str) -> anyhow::Result<Option<MailSettings>> {
        let Some(server) = &self.smtp_url else {
            anyhow::ensure!(
                self.mail_from.is_none() && self.mail_templates.is_none(),
                "LYCEUM_MAIL_FROM and LYCEUM_MAIL_TEMPLATES say how mail is sent, and LYCEUM_SMTP_URL does not say where"
            );
            return Ok(None);
        };
        let (from, templates) = (self.mail_from.as_deref(), self.mail_templates.clone());
        Ok(Some(MailSettings::parse(server, from, templates, service)?))
    }
}

//! Asking somebody about a draft who did not write it. A draft can do without: where nobody answers, that is told.

use lyceum_domain::drafting::generation_steps::{Outcome, StepKey};
use lyceum_ports::drafting::ai::{AiError, Answered};
use lyceum_ports::drafting::ai_calls::Meter;
use serde_json::Value;

use super::{Steps, Stop};

impl Steps<'_> {
    /// What somebody else says of a draft; none where they will not, or where what they say cannot be used, also after
    /// a repair. That is kept like an answer, so that nobody is asked twice in vain.
    pub async fn ask_another<T>(
        &self,
        key: StepKey,
        task: Value,
        call: impl AsyncFnOnce(&Meter) -> Result<Answered<T>, AiError>,
    ) -> Result<Option<T>, Stop>
    where
        Option<T>: Outcome + Clone + Send + Sync + 'static,
    {
        let asked = self.ask(key, task, async |meter| match call(meter).await {
            Ok(answered) => Ok(answered.map(Some)),
            Err(AiError::Refused(_) | AiError::InvalidOutput(_) | AiError::InputTooThin(_)) => {
                Ok(self.no_answer(None, meter))
            }
            Err(error) => Err(error),
        });
        Ok(asked.await?.value)
    }
}

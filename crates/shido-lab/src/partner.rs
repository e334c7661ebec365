//! From a spec's settings to a teaching partner, and to who knows what people play.

use shido_coach::play::{PartnerSettings, SettingsError};
use shido_engine::human::HumanSource;
use shido_engine::player::PartnerPlayer;
use shido_engine::{Analyst, Limits, Partner, StopFlag, level, nets};

use crate::classic::{self, ClassicError};
use crate::native::{self, NativeError};
use crate::spec::{ClassicSpec, PartnerSpec, Spec};

/// What stands for the move model in place of a human network.
pub(crate) const MOVE_MODEL: &str = "none";

/// The partner cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PartnerError {
    /// Its networks.
    #[error(transparent)]
    Native(#[from] NativeError),
    /// Its classic search.
    #[error(transparent)]
    Classic(#[from] ClassicError),
    /// Its settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// Makes a partner that ends its searches early when `stop` is raised.
pub(crate) fn build(
    spec: &Spec,
    wanted: &PartnerSpec,
    stop: &StopFlag,
) -> Result<PartnerPlayer, PartnerError> {
    let analyst = analyst(spec, wanted)?;
    let human = human(spec, &wanted.human_net)?;
    let kind = wanted.partner;
    let mut settings = match wanted.level {
        Some(level) => level::settings(kind, level, spec.game.board, &*analyst, &human).settings,
        None => PartnerSettings::new(kind),
    };
    wanted.apply(&mut settings)?;
    let mut partner = Partner::new(human, settings)?;
    partner.set_student(wanted.student);
    let limits = Limits {
        stop: stop.clone(),
        ..Limits::default()
    };
    Ok(PartnerPlayer::new(analyst, partner, limits))
}

fn analyst(spec: &Spec, wanted: &PartnerSpec) -> Result<Box<dyn Analyst>, PartnerError> {
    let Some(net) = &wanted.net else {
        let classic = ClassicSpec {
            playouts: 1,
            threads: wanted.threads,
            gammas: "shipped".to_owned(),
            priors: "shipped".to_owned(),
            memory_mib: wanted.memory_mib,
            resign_below: 0.0,
        };
        return Ok(Box::new(classic::build(spec, &classic)?));
    };
    let native = native::search(spec, net, wanted.threads, wanted.memory_mib)?;
    Ok(Box::new(native))
}

/// Returns who knows what people play, by the name in the spec.
pub(crate) fn human(spec: &Spec, name: &str) -> Result<HumanSource, NativeError> {
    if name == MOVE_MODEL {
        return Ok(HumanSource::move_model());
    }
    let network = native::named(spec, name, &nets::HUMAN)?;
    Ok(HumanSource::of_network(network))
}

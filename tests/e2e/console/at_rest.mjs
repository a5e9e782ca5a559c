// Runs in a page: nothing moves any more. What moves for ever, because something is on its way, stands still instead.
export function atRest() {
  document.getAnimations().forEach((animation) => {
    if (animation.effect.getComputedTiming().endTime === Infinity) animation.cancel();
    else animation.finish();
  });
}

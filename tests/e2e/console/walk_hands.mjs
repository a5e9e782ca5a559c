// Hands that do what a person does, and count it: by mouse, by keyboard alone, by touch.
//
// An action is one of: opening an address, a click or a touch, a key or a chord, typing into one field without leaving it, a paste, a drop,
// choosing an entry of a list or a file. Looking, waiting and scrolling are none, nor is moving the pointer to what is clicked; so with the keyboard
// the way to a button by Tab and the arrow keys is none either, and the way to a field is one, as a click into it would be. How many keys were
// pressed in all is counted besides. What has the focus already needs no way.
const MOST_PRESSES = 120;

// Runs in the page: where a control lies, seen from what has the focus.
function wayTo(wanted) {
  const { activeElement: now } = document;
  if (now === wanted || now.shadowRoot?.activeElement === wanted || now.contains(wanted.getRootNode().host ?? null)) return "there";
  const bar = wanted.closest("[role=toolbar], [role=menu]");
  if (bar?.contains(now) && now !== document.body) return bar.role === "menu" ? "ArrowDown" : "Along";
  // Of choices that rule each other out one has the focus; the arrows choose another.
  if (wanted.type === "radio" && now.type === "radio" && now.name === wanted.name) return "ArrowDown";
  if (now === document.body) return "Tab";
  const host = wanted.getRootNode().host ?? wanted;
  return now.compareDocumentPosition(host) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}

class Hand {
  actions = 0;
  presses = 0;

  constructor(page) {
    this.page = page;
  }

  // What is done, counted.
  async once(action) {
    this.actions += 1;
    return action();
  }

  open(address) {
    return this.once(() => this.page.goto(address));
  }

  // Into what has the focus.
  type(text) {
    return this.once(() => this.page.keyboard.type(text));
  }

  key(name) {
    this.presses += 1;
    return this.once(() => this.page.keyboard.press(name));
  }

  // A paste as the browser hands it on: what a program has put there as HTML, and as words.
  paste(html, plain) {
    const put = ([marked, words]) => {
      const data = new DataTransfer();
      data.setData("text/html", marked);
      data.setData("text/plain", words);
      const target = document.activeElement.shadowRoot.querySelector(".cm-content");
      target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    };
    return this.once(() => this.page.evaluate(put, [html, plain]));
  }

  // A file, where pressing something asks for one.
  async file(target, file) {
    const asked = this.page.waitForEvent("filechooser");
    await this.press(target);
    await this.once(async () => (await asked).setFiles(file));
  }

  // Goes on to the next of what is added one after the other.
  next() {
    return this.key("Enter");
  }
}

export class Mouse extends Hand {
  press(target) {
    return this.once(() => target.click());
  }

  async fill(target, text) {
    await this.press(target);
    await this.type(text);
  }

  // An entry of a list that the browser opens.
  async choose(target, value) {
    await this.press(target);
    await this.once(() => target.selectOption(value));
  }

  does(target) {
    return this.press(target);
  }
}

export class Touch extends Mouse {
  press(target) {
    return this.once(() => target.tap());
  }
}

export class Keys extends Hand {
  async reach(target) {
    await target.waitFor();
    const along = await this.page.evaluate(() => (document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight"));
    for (let count = 0; ; count += 1) {
      // Asked for anew each time: the page may be drawn anew under it.
      const way = await target.evaluate(wayTo);
      if (way === "there") return count > 0;
      if (count > MOST_PRESSES) throw new Error(`the keyboard does not come to ${target}`);
      this.presses += 1;
      await this.page.keyboard.press(way === "Along" ? along : way);
    }
  }

  // Links and buttons take Enter, what is chosen takes the space bar.
  async press(target) {
    await this.reach(target);
    const key = await target.evaluate((node) => (node.matches("input") ? !node.checked && "Space" : "Enter"));
    if (key) await this.key(key);
  }

  async fill(target, text) {
    if (await this.reach(target)) this.actions += 1;
    await this.type(text);
  }

  // A list takes what its entry begins with.
  choose(target, value) {
    return this.fill(target, value);
  }

  // What has a key of its own needs no way.
  async does(target, key) {
    await target.waitFor();
    await this.key(key);
  }
}

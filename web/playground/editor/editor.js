/// The editor of the playground: CodeMirror with highlighting for scenarios and assembly. `npm run build` bundles it
/// into ../editor.js, which is committed, so that the playground can be built without npm.
import {autocompletion, closeBrackets, completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap} from '@codemirror/commands';
import {HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting} from '@codemirror/language';
import {lintGutter, lintKeymap, setDiagnostics} from '@codemirror/lint';
import {EditorState, RangeSet, StateEffect, StateField} from '@codemirror/state';
import {Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, highlightSpecialChars, keymap,
  lineNumbers} from '@codemirror/view';
import {tags} from '@lezer/highlight';

// ---- colours: classes of the page's style, so that both themes are in one place ----

const colours = HighlightStyle.define([
  {tag: tags.comment, class: 'tok-comment'},
  {tag: tags.keyword, class: 'tok-mnemonic'},
  {tag: tags.labelName, class: 'tok-label'},
  {tag: tags.variableName, class: 'tok-register'},
  {tag: tags.number, class: 'tok-number'},
  {tag: tags.propertyName, class: 'tok-key'},
  {tag: tags.meta, class: 'tok-directive'},
  {tag: tags.string, class: 'tok-string'},
]);

// ---- the language: YAML with assembly in block scalars, or assembly alone ----

const registerWord = /^(?:[sva]\d+|[sva]\[[^\]]*\]|ttmp(?:\d+|\[[^\]]*\])|(?:vcc|exec|flat_scratch|xnack_mask|tba|tma)(?:_lo|_hi)?|m0|scc|off|null)(?!\w)/;

function assemblyToken(stream, state) {
  if (stream.eatSpace()) return null;
  if (stream.match(/^(?:;|\/\/|#).*/)) return 'comment';
  if (stream.match(/^\/\*.*?(?:\*\/|$)/)) return 'comment';
  if (!state.seen && stream.match(/^[\w.$@]+:/)) return 'labelName';
  if (stream.match(/^\.\w+/)) {
    state.seen = true;
    return 'meta';
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
  if (!state.seen) {
    state.seen = true;
    if (stream.match(/^[A-Za-z_]\w*/)) return 'keyword';
  }
  if (stream.match(registerWord)) return 'variableName';
  if (stream.match(/^(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/)) return 'number';
  if (stream.match(/^[A-Za-z_.$@]\w*/)) return null;
  stream.next();
  return null;
}

function yamlToken(stream, state) {
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return 'comment';
  if (stream.match(/^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w.[\]:+-]+?)(?=\s*:(?:\s|$))/)) return 'propertyName';
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return 'string';
  if (stream.match(/^(?:0[xX][0-9a-fA-F]+|-?\d+(?:\.\d+)?)(?=[\s,\]}]|$)/)) return 'number';
  if (stream.match(/^[A-Za-z_][\w.-]*/)) return null;
  stream.next();
  return null;
}

const language = (isYaml) => StreamLanguage.define({
  name: isYaml ? 'salu scenario' : 'gcn assembly',
  startState: () => ({block: -1, opens: -1, seen: false}),
  token(stream, state) {
    if (!isYaml) {
      if (stream.sol()) state.seen = false;
      return assemblyToken(stream, state);
    }
    if (stream.sol()) {
      state.seen = false;
      const indent = stream.indentation();
      const isBlank = stream.string.trim() === '';
      if (state.opens >= 0 && !isBlank) {
        state.block = indent > state.opens ? indent : -1;
        state.opens = -1;
      } else if (state.block >= 0 && !isBlank && indent < state.block) {
        state.block = -1;
      }
      if (state.block < 0 && /(?:^|[\s-])asm:\s*[|>][+-]?\s*(?:#.*)?$/.test(stream.string)) state.opens = indent;
    }
    return state.block >= 0 ? assemblyToken(stream, state) : yamlToken(stream, state);
  },
  languageData: {commentTokens: {line: isYaml ? '#' : ';'}},
});

// ---- the position of the run, and breakpoints ----

const setHere = StateEffect.define();
const here = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setHere)) continue;
      const line = effect.value;
      now = line > 0 && line <= transaction.state.doc.lines
        ? Decoration.set([Decoration.line({class: 'cm-here'}).range(transaction.state.doc.line(line).from)])
        : Decoration.none;
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class BreakpointMarker extends GutterMarker {
  toDOM() {
    const dot = document.createElement('span');
    dot.className = 'breakpoint';
    dot.textContent = '●';
    return dot;
  }
}
const marker = new BreakpointMarker();
const toggleBreakpoint = StateEffect.define();
const breakpoints = StateField.define({
  create: () => RangeSet.empty,
  update(set, transaction) {
    let now = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(toggleBreakpoint)) continue;
      const {from} = transaction.state.doc.line(effect.value);
      let found = false;
      now.between(from, from, () => { found = true; });
      now = found ? now.update({filter: (at) => at !== from}) : now.update({add: [marker.range(from)]});
    }
    return now;
  },
});

// ---- the interface of the editor ----

/// `changed()`, `breakpointsChanged()`, `refused(message)`, and `words()`: {mnemonics, registers, sgprs, keys}.
export function makeEditor(parent, {label, changed, breakpointsChanged, refused, words}) {
  let isYaml = true;
  const mostCharacters = 1 << 20;
  const tooLarge = (size) => `${Math.ceil(size / 1e6)} MB are too much for the editor, which takes 1 MiB; drop the file instead, and name it in a scenario (code: {file: NAME})`;

  function complete(context) {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const word = context.matchBefore(/[\w.]+/);
    if (!word && !context.explicit) return null;
    const from = word ? word.from : context.pos;
    const {mnemonics, registers, sgprs, keys} = words();
    const start = before.slice(0, from - line.from);
    const options = [];
    if (/^\s*(?:[\w.$@]+:\s*)?$/.test(start)) {
      options.push(...mnemonics.map((text) => ({label: text, type: 'keyword'})));
      if (isYaml) options.push(...keys.map(({name, about}) => ({label: `${name}:`, detail: about, type: 'property'})));
    } else {
      options.push(...registers.map((text) => ({label: text, type: 'variable'})));
      for (let i = 0; i < sgprs; ++i) options.push({label: `s${i}`, type: 'variable', boost: -i});
      for (const [, name] of context.state.doc.toString().matchAll(/^\s*([A-Za-z_]\w*):\s*$/gm)) options.push({label: name, type: 'label'});
    }
    return {from, options, validFor: /^[\w.]*$/};
  }

  const extensions = () => [
    gutter({
      class: 'cm-breakpoints',
      markers: (view) => view.state.field(breakpoints),
      initialSpacer: () => marker,
      domEventHandlers: {
        mousedown(view, block) {
          toggle(view.state.doc.lineAt(block.from).number);
          return true;
        },
      },
    }),
    lineNumbers(), breakpoints, here, history(), drawSelection(), highlightSpecialChars(), highlightActiveLine(),
    bracketMatching(), closeBrackets(), indentUnit.of('  '), language(isYaml), syntaxHighlighting(colours),
    autocompletion({override: [complete], icons: false}), lintGutter(),
    keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
    EditorView.contentAttributes.of({'aria-label': label, spellcheck: 'false', autocapitalize: 'off'}),
    EditorState.transactionFilter.of((transaction) => {
      if (!transaction.docChanged || transaction.newDoc.length <= mostCharacters) return transaction;
      refused(tooLarge(transaction.newDoc.length));
      return [];
    }),
    EditorView.domEventHandlers({
      // Before the text is split into lines, which would take as long as running it.
      paste(event) {
        const size = event.clipboardData?.getData('text/plain').length ?? 0;
        if (size <= mostCharacters) return false;
        event.preventDefault();
        refused(tooLarge(size));
        return true;
      },
      // The page handles files.
      drop: (event) => (event.dataTransfer?.files.length ?? 0) !== 0,
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed();
      if (update.startState.field(breakpoints) !== update.state.field(breakpoints)) breakpointsChanged();
    }),
  ];
  const view = new EditorView({parent, state: EditorState.create({extensions: extensions()})});

  function toggle(line) {
    view.dispatch({effects: toggleBreakpoint.of(line)});
  }
  return {
    view,
    text: () => view.state.doc.toString(),
    setText(text, asYaml) {
      if (text.length > mostCharacters) return refused(tooLarge(text.length));
      isYaml = asYaml;
      view.setState(EditorState.create({doc: text, extensions: extensions()}));
      changed();
    },
    setYaml(asYaml) {
      if (asYaml === isYaml) return;
      const {anchor, head} = view.state.selection.main;
      isYaml = asYaml;
      view.setState(EditorState.create({doc: view.state.doc, selection: {anchor, head}, extensions: extensions()}));
    },
    toggle: () => toggle(view.state.doc.lineAt(view.state.selection.main.head).number),
    breakpoints() {
      const lines = [];
      for (const at = view.state.field(breakpoints).iter(); at.value !== null; at.next()) lines.push(view.state.doc.lineAt(at.from).number);
      return lines;
    },
    showHere(line) {
      const effects = [setHere.of(line)];
      if (line > 0 && line <= view.state.doc.lines) effects.push(EditorView.scrollIntoView(view.state.doc.line(line).from, {y: 'nearest', yMargin: 40}));
      view.dispatch({effects});
    },
    /// {line, column, severity, message}; without a line the message is shown at the first one.
    showProblems(problems) {
      const places = problems.map(({line, column, severity, message}) => {
        const at = view.state.doc.line(Math.max(1, Math.min(line || 1, view.state.doc.lines)));
        const from = Math.min(at.from + Math.max(0, (column || 1) - 1), at.to);
        return {from, to: at.to, severity, message};
      });
      view.dispatch(setDiagnostics(view.state, places.sort((left, right) => left.from - right.from)));
    },
    focus: () => view.focus(),
  };
}

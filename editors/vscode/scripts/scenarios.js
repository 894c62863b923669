'use strict';

// Keys that are indented further keep the colours of YAML.
const deepestKey = 24;

/// Assembly in `asm: |` of a scenario. A block scalar continues as long as its lines are indented more than its key. YAML's own
/// grammar may have consumed any part of a line's indentation before these rules see it, so there is one rule for each column of the key.
function scenarioGrammar() {
  const patterns = [];
  for (let column = 0; column <= deepestKey; ++column) {
    const places = [`^ {${column}}`];
    // Also after the dash of a list.
    if (column >= 2) places.push(`^ {${column - 2}}- `);
    patterns.push({
      begin: `(?<=${places.join('|')})(asm)(:)[ \\t]+([|>][-+0-9]*)[ \\t]*(#.*)?$`,
      while: `(?:^|\\G) *+(?<= {${column + 1}})(?=\\S)|(?:^|\\G)[ \\t]*$`,
      beginCaptures: {
        1: {name: 'string.unquoted.plain.out.yaml entity.name.tag.yaml'},
        2: {name: 'punctuation.separator.key-value.mapping.yaml'},
        3: {name: 'keyword.control.flow.block-scalar.yaml'},
        4: {name: 'comment.line.number-sign.yaml'},
      },
      contentName: 'meta.embedded.block.gcn-asm',
      patterns: [{include: 'source.gcn-asm'}],
    });
  }
  return {
    $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
    name: 'GCN assembly in scenarios of salu',
    scopeName: 'salu.gcn-asm-in-yaml',
    injectionSelector: 'L:source.yaml -comment -string',
    patterns,
  };
}

module.exports = {scenarioGrammar};

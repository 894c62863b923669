'use strict';

const symbol = '[A-Za-z_.$][\\w.$@]*';
const scope = (name) => `${name}.gcn-asm`;
const word = (names) => `(?i)\\b(?:${names.join('|')})\\b`;
// 3, [3], [2:3]
const numberOrRange = '(?:\\d+\\b|\\[\\s*\\d+\\s*(?::\\s*\\d+\\s*)?\\])';
const bracket = {0: {name: scope('punctuation.bracket')}};
const include = (...names) => names.map((name) => ({include: `#${name}`}));

/// A rule for one statement up to the end of its line; `begin` is the pattern of its start.
function statement(begin, name, meta, operands) {
  return {name: scope(meta), begin, beginCaptures: {0: {name: scope(name)}}, end: '$', patterns: operands};
}

/// Returns a regular expression for names that all start with `s_`.
function scalar(mnemonics) {
  const rest = mnemonics.map(({name}) => {
    if (!name.startsWith('s_')) throw new Error(`${name} does not start with s_`);
    return name.slice(2);
  });
  return `(?i)\\bs_(?:${rest.sort().join('|')})\\b`;
}

/// Returns a rule for each format, and one for control flow instructions.
function scalarInstructions(mnemonics) {
  const rules = [];
  for (const controlsFlow of [true, false]) {
    for (const format of [...new Set(mnemonics.map((row) => row.format))]) {
      const rows = mnemonics.filter((row) => row.format === format && row.controlsFlow === controlsFlow);
      const name = `keyword.${controlsFlow ? 'control' : 'mnemonic'}.${format}`;
      const operands = include(format === 'smem' ? 'memory_operands' : 'operands');
      if (rows.length > 0) rules.push(statement(scalar(rows), name, 'meta.instruction', operands));
    }
  }
  return rules;
}

const otherInstructions = [
  statement('(?i)\\bv_[a-z0-9_]+\\b', 'support.function.mnemonic.vector', 'meta.instruction', include('vector_operands')),
  statement('(?i)\\b(?:ds|flat|global|scratch|buffer|tbuffer|image)_[a-z0-9_]+\\b', 'support.function.mnemonic.memory',
    'meta.instruction', include('vector_operands')),
  statement('(?i)\\bexp\\b', 'support.function.mnemonic.export', 'meta.instruction', include('vector_operands')),
  // Not in any generation that salu supports.
  statement('(?i)\\bs_[a-z0-9_]+\\b', 'invalid.illegal.mnemonic', 'meta.instruction', include('operands')),
  // Any other start of a statement is a macro.
  statement(symbol, 'entity.name.function.macro', 'meta.statement', include('operands')),
];

const repository = {
  comments: {
    patterns: [
      {name: scope('comment.line.semicolon'), match: ';.*$'},
      {name: scope('comment.line.double-slash'), match: '//.*$'},
      {name: scope('comment.block'), begin: '/\\*', end: '\\*/'},
    ],
  },
  labels: {
    match: `(?:(${symbol})|(\\d+))\\s*(:)`,
    captures: {
      1: {name: scope('entity.name.function.label')},
      2: {name: scope('entity.name.function.label')},
      3: {name: scope('punctuation.separator.label')},
    },
  },
  assignments: {
    name: scope('meta.assignment'),
    begin: `(${symbol})\\s*(=)(?!=)`,
    beginCaptures: {1: {name: scope('variable.other.constant')}, 2: {name: scope('keyword.operator.assignment')}},
    end: '$',
    patterns: include('operands'),
  },
  directives: {
    patterns: [
      {
        // YAML up to the end directive.
        begin: '^\\s*(\\.(?:amdgpu_metadata|amdgpu_pal_metadata|amd_amdgpu_hsa_metadata|amdgpu_runtime_metadata))\\s*$',
        while: '^(?!\\s*\\.end_)',
        beginCaptures: {1: {name: scope('keyword.directive')}},
        contentName: 'meta.embedded.block.yaml',
        patterns: [{include: 'source.yaml.embedded'}, {include: 'source.yaml'}],
      },
      {
        name: scope('meta.directive'),
        begin: '\\.[A-Za-z_0-9]+(?:\\.\\w+)*\\b',
        beginCaptures: {0: {name: scope('keyword.directive')}},
        end: '$',
        patterns: [
          {name: scope('storage.type.section'), match: '[@%](?:progbits|nobits|note|function|object|notype|common)\\b'},
          ...include('operands'),
        ],
      },
    ],
  },
  // Line markers of the C preprocessor.
  line_markers: {name: scope('comment.line.number-sign'), match: '^\\s*#.*$'},
  instructions: {patterns: []},
  strings: {
    patterns: [
      {
        name: scope('string.quoted.double'),
        begin: '"',
        end: '"|$',
        patterns: [{name: scope('constant.character.escape'), match: '\\\\.'}],
      },
      {name: scope('string.quoted.single'), match: "'(?:\\\\.|[^'\\\\])'?"},
    ],
  },
  registers: {
    patterns: [
      {name: scope('variable.other.register.sgpr'), match: `(?i)\\b(?:s|ttmp)${numberOrRange}`},
      {name: scope('variable.other.register.vgpr'), match: `(?i)\\b(?:[va]|acc)${numberOrRange}`},
      {
        // May contain expressions.
        name: scope('meta.register.range'),
        begin: '(?i)\\b(?:(s|ttmp)|(v|a|acc))(?=\\[)',
        beginCaptures: {
          1: {name: scope('variable.other.register.sgpr')},
          2: {name: scope('variable.other.register.vgpr')},
        },
        end: '\\]|$',
        endCaptures: bracket,
        patterns: [{name: scope('punctuation.separator.range'), match: ':'}, ...include('numbers', 'operators', 'symbols')],
      },
      {
        name: scope('variable.language.register.special'),
        match: word([
          '(?:vcc|exec|flat_scratch|xnack_mask|tba|tma)(?:_lo|_hi)?', 'm0', 'scc', 'vccz', 'execz', 'lds_direct',
          '(?:src_)?(?:shared|private)_(?:base|limit)', '(?:src_)?pops_exiting_wave_id', 'src_(?:vccz|execz|scc|lds_direct)',
        ]),
      },
    ],
  },
  functions: {
    patterns: [
      {
        name: scope('meta.function-call.hwreg'),
        begin: '(?i)\\b(hwreg)\\s*(\\()',
        beginCaptures: {1: {name: scope('support.function.operand')}, 2: {name: scope('punctuation.bracket')}},
        end: '\\)|$',
        endCaptures: bracket,
        patterns: [
          {name: scope('variable.other.constant.hwreg'), match: word(['(?:hw_reg|hwreg|sq_shader)_\\w+'])},
          ...include('operands'),
        ],
      },
      {
        name: scope('meta.function-call.sendmsg'),
        begin: '(?i)\\b(sendmsg)\\s*(\\()',
        beginCaptures: {1: {name: scope('support.function.operand')}, 2: {name: scope('punctuation.bracket')}},
        end: '\\)|$',
        endCaptures: bracket,
        patterns: [
          {name: scope('variable.other.constant.message'), match: word(['(?:msg|gs_op|sysmsg_op)_\\w+'])},
          ...include('operands'),
        ],
      },
      {
        name: scope('meta.function-call.waitcnt'),
        begin: word(['(?:vmcnt|lgkmcnt|expcnt)(?:_sat)?(?=\\s*\\()']),
        beginCaptures: {0: {name: scope('support.function.counter')}},
        end: '\\)|$',
        endCaptures: bracket,
        patterns: include('operands'),
      },
      {
        name: scope('meta.function-call.gpr-idx'),
        begin: '(?i)\\b(gpr_idx)\\s*(\\()',
        beginCaptures: {1: {name: scope('support.function.operand')}, 2: {name: scope('punctuation.bracket')}},
        end: '\\)|$',
        endCaptures: bracket,
        patterns: [{name: scope('variable.other.constant.select'), match: word(['src[0-2]', 'dst'])}, ...include('operands')],
      },
    ],
  },
  named_modifiers: {
    match: '(?i)\\b([a-z]\\w*)\\s*(:)',
    captures: {1: {name: scope('storage.modifier.named')}, 2: {name: scope('punctuation.separator.modifier')}},
  },
  memory_modifiers: {name: scope('storage.modifier'), match: word(['glc', 'nv', 'off'])},
  vector_modifiers: {
    patterns: [
      {name: scope('support.function.operand'), match: word(['(?:neg|abs|sext|swizzle)(?=\\s*\\()'])},
      {name: scope('variable.other.constant.swizzle'), match: word(['(?:quad_perm|bitmask_perm|broadcast|swap|reverse)(?=\\s*,)'])},
      {
        name: scope('storage.modifier'),
        match: word([
          'glc', 'slc', 'dlc', 'scc', 'sc0', 'sc1', 'nt', 'nv', 'lds', 'gds', 'tfe', 'lwe', 'da', 'unorm', 'r128', 'a16', 'd16',
          'offen', 'idxen', 'addr64', 'clamp', 'high', 'done', 'compr', 'vm', 'off', 'row_mirror', 'row_half_mirror',
        ]),
      },
      {name: scope('variable.other.constant.select'), match: word(['dword', 'byte_[0-3]', 'word_[01]', 'unused_\\w+'])},
      {name: scope('variable.other.constant.export'), match: word(['mrtz?\\d*', 'pos\\d+', 'param\\d+', 'null', 'prim'])},
    ],
  },
  numbers: {
    patterns: [
      {name: scope('constant.numeric.hex'), match: '(?i)\\b0x[0-9a-f]+(?:\\.[0-9a-f]*)?(?:p[-+]?\\d+)?\\b'},
      {name: scope('constant.numeric.binary'), match: '(?i)\\b0b[01]+\\b'},
      {name: scope('constant.other.label'), match: '\\b\\d+[bf]\\b'},
      {name: scope('constant.numeric.float'), match: '(?i)(?<![\\w.])(?:\\d+\\.\\d*|\\.\\d+|\\d+(?=e))(?:e[-+]?\\d+)?'},
      {name: scope('constant.numeric.decimal'), match: '\\b\\d+\\b'},
    ],
  },
  operators: {
    patterns: [
      {name: scope('keyword.operator'), match: '<<|>>|[-+*/%&|^~!<>=]+'},
      {name: scope('punctuation.separator.operand'), match: ','},
      {name: scope('punctuation.bracket'), match: '[\\[\\](){}]'},
    ],
  },
  symbols: {name: scope('entity.name.function.reference'), match: symbol},
  operands: {patterns: include('comments', 'strings', 'functions', 'registers', 'numbers', 'operators', 'symbols')},
  memory_operands: {patterns: include('comments', 'registers', 'named_modifiers', 'memory_modifiers', 'operands')},
  // `done` or `off` may be names of labels, so these words are keywords only after vector instructions.
  vector_operands: {patterns: include('comments', 'registers', 'named_modifiers', 'vector_modifiers', 'operands')},
};

/// Assembly in the syntax of llvm-mc. Mnemonics are recognised only at the start of a statement: elsewhere `s_loop` may be a label.
function assemblyGrammar(mnemonics) {
  return {
    $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
    name: 'GCN assembly',
    scopeName: 'source.gcn-asm',
    patterns: include('line_markers', 'comments', 'strings', 'labels', 'assignments', 'directives', 'instructions'),
    repository: {...repository, instructions: {patterns: [...scalarInstructions(mnemonics), ...otherInstructions]}},
  };
}

module.exports = {assemblyGrammar};

import type { OperatorName } from "../../spec/composites/index.ts";
import {
  addBias,
  contract,
  divideHeads,
  drop,
  maskLater,
  normalizeRoot,
  type Part,
  project,
  scale,
  scoresOf,
  turnHalves,
  weigh,
} from "./motif_parts.ts";

/**
 * A step is a node or a {@link Part} with the values it reads: 0 is what the motif begins with, k what step k
 * gave. One of several operators is drawn; attributes and further operands are drawn as everywhere.
 */
export type Step = readonly [
  what: readonly [OperatorName, ...OperatorName[]] | Part,
  first: number,
  second?: number,
];

/** A motif is a sequence of operators that networks are made of, with where it was found. */
export interface Motif {
  /** The value that the motif begins with has at least this many axes. */
  readonly rank: number;
  readonly steps: readonly Step[];
  /** Each architecture has it so often, as its paper describes a forward pass and its loss. */
  readonly found: { readonly [K in keyof typeof architectures]?: number };
}

/**
 * Layers are listed in these places. The counts were held against the public code, where there is some: it
 * decides what a paper leaves out (which sublayer drops, what follows the last norm).
 */
const architectures = {
  "LeNet-5": "LeCun et al. 1998, https://doi.org/10.1109/5.726791, section II.B",
  AlexNet: "Krizhevsky et al. 2012, section 3.5; pytorch/vision, torchvision/models/alexnet.py",
  "VGG-16": "https://arxiv.org/abs/1409.1556, table 1, column D; pytorch/vision, torchvision/models/vgg.py",
  "ResNet-18": "https://arxiv.org/abs/1512.03385, table 1",
  "U-Net": "https://arxiv.org/abs/1505.04597, figure 1 and section 2",
  "BERT base": "https://arxiv.org/abs/1810.04805, section 3: 12 layers; google-research/bert, modeling.py",
  "GPT-2 small": "Radford et al. 2019, section 2.3 and table 2: 12 layers; karpathy/nanoGPT, model.py",
  "ViT-B/16": "https://arxiv.org/abs/2010.11929, equations 1 to 4 and table 1: 12 layers",
  "Mixer-B/16": "https://arxiv.org/abs/2105.01601, equation 1 and table 1: 12 layers",
  "LLaMA-7B": "https://arxiv.org/abs/2302.13971, section 2.2 and table 2: 32 layers",
  WaveNet: "https://arxiv.org/abs/1609.03499, section 2.1: dilations 1 to 512 three times; equation 2",
  "LSTM, two layers": "https://arxiv.org/abs/1409.2329, section 3",
  "GRU encoder and decoder": "https://arxiv.org/abs/1406.1078, section 2.3",
  GCN: "https://arxiv.org/abs/1609.02907, equation 9: 2 layers",
  CBOW: "https://arxiv.org/abs/1301.3781, section 3.1",
  VAE: "https://arxiv.org/abs/1312.6114, equation 10 and appendix C",
  DDPM: "https://arxiv.org/abs/2006.11239, algorithm 1",
  CTC: "Graves et al. 2006, https://doi.org/10.1145/1143844.1143891, equations 5 to 8",
  GMM: "https://arxiv.org/abs/1807.10129, section 4.1: ADBench's objective",
} as const;

const squash = ["tanh", "sigmoid", "relu"] as const;
const rectify = ["relu", "relu", "leaky_relu", "silu"] as const;
const normalize = ["batch_norm_train", "batch_norm_eval", "group_norm"] as const;
const pool = ["max_pool", "avg_pool"] as const;

// biome-ignore format: a table
/**
 * Each motif counts the places in the published layer lists: a convolution or product of weights counts once
 * for each layer of the table or figure, a sublayer where it stands in an equation.
 */
export const motifs: Readonly<Record<string, Motif>> = {
  "convolution, activation, pooling": {
    rank: 3,
    steps: [[["conv"], 0], [squash, 1], [pool, 2]],
    found: { "LeNet-5": 2, AlexNet: 3, "VGG-16": 5, "U-Net": 4 },
  },
  "convolution, activation, convolution": {
    rank: 3,
    steps: [[["conv"], 0], [["relu"], 1], [["conv"], 2]],
    found: { AlexNet: 2, "VGG-16": 8, "U-Net": 10 },
  },
  "convolution, normalization, activation, pooling": {
    rank: 3,
    steps: [[["conv"], 0], [normalize, 1], [rectify, 2], [pool, 3]],
    found: { "ResNet-18": 1 },
  },
  "convolution, normalization, activation": {
    rank: 3,
    steps: [[["conv"], 0], [normalize, 1], [rectify, 2], [["conv"], 3]],
    found: { "ResNet-18": 8 },
  },
  "convolution, normalization, residual, activation": {
    rank: 3,
    steps: [[["conv"], 0], [normalize, 1], [["add"], 2, 0], [rectify, 3]],
    found: { "ResNet-18": 8 },
  },
  "transposed convolution, skip, convolution": {
    rank: 3,
    steps: [[["conv_transpose"], 0], [["concat"], 1], [["conv"], 2], [["relu"], 3]],
    found: { "U-Net": 4 },
  },
  "mean over positions, dense": {
    rank: 3,
    steps: [[["avg_pool"], 0], [["mean"], 1], [["outer", "matmul"], 2], [["add"], 3]],
    found: { "ResNet-18": 1 },
  },
  "dense, activation, dense": {
    rank: 2,
    steps: [
      [project, 0], [addBias, 1], [["gelu", "gelu", "relu", "tanh"], 2], [project, 3], [addBias, 4],
    ],
    found: {
      "LeNet-5": 1, AlexNet: 2, "VGG-16": 2, "BERT base": 12, "GPT-2 small": 12, "ViT-B/16": 12,
      "Mixer-B/16": 24,
    },
  },
  "gated dense": {
    rank: 2,
    steps: [[project, 0], [["silu"], 1], [["multiply"], 2], [project, 3]],
    found: { "LLaMA-7B": 32 },
  },
  "scores, softmax, weighted sum": {
    rank: 2,
    steps: [[scoresOf, 0], [scale, 1], [weigh, 2], [["matmul"], 3, 0]],
    found: { "BERT base": 12, "ViT-B/16": 12 },
  },
  "scores, mask, softmax, weighted sum": {
    rank: 2,
    steps: [[scoresOf, 0], [scale, 1], [maskLater, 2], [weigh, 3], [["matmul"], 4, 0]],
    found: { "GPT-2 small": 12, "LLaMA-7B": 32 },
  },
  "heads apart, scores": {
    rank: 2,
    steps: [[project, 0], [divideHeads, 1], [scoresOf, 2], [weigh, 3]],
    found: { "BERT base": 12, "GPT-2 small": 12, "ViT-B/16": 12, "LLaMA-7B": 32 },
  },
  "patches, dense": {
    rank: 3,
    steps: [[["reshape"], 0], [["permute_dims"], 1], [["reshape"], 2], [project, 3], [addBias, 4]],
    found: { "ViT-B/16": 1, "Mixer-B/16": 1 },
  },
  "attention as one": {
    rank: 2,
    steps: [
      [["scaled_dot_product_attention", "multi_head_attention"], 0], [["add"], 1, 0], [["layer_norm"], 2],
    ],
    found: { "BERT base": 12 },
  },
  "dense, residual, layer_norm": {
    rank: 2,
    steps: [[project, 0], [addBias, 1], [["add"], 2, 0], [["layer_norm"], 3]],
    found: { "BERT base": 24 },
  },
  "layer_norm, dense": {
    rank: 2,
    steps: [[["layer_norm"], 0], [project, 1], [addBias, 2]],
    found: { "GPT-2 small": 24, "ViT-B/16": 25, "Mixer-B/16": 24 },
  },
  "layer_norm, dense, residual": {
    rank: 2,
    steps: [[["layer_norm"], 0], [project, 1], [["add"], 2, 0]],
    found: { "GPT-2 small": 24, "ViT-B/16": 24, "Mixer-B/16": 24 },
  },
  "root mean square, dense": {
    rank: 2,
    steps: [[normalizeRoot, 0], [["multiply"], 1], [project, 2]],
    found: { "LLaMA-7B": 65 },
  },
  "rotary positions": {
    rank: 2,
    steps: [[turnHalves, 0], [["multiply"], 1], [["multiply"], 0], [["add"], 2, 3]],
    found: { "LLaMA-7B": 64 },
  },
  "exchanged axes, dense": {
    rank: 2,
    steps: [[["permute_dims"], 0], [project, 1], [["gelu"], 2], [project, 3], [["permute_dims"], 4]],
    found: { "Mixer-B/16": 12 },
  },
  "contraction, softmax, contraction": {
    rank: 2,
    steps: [[contract, 0], [["softmax"], 1], [contract, 2]],
    found: { "BERT base": 12, "GPT-2 small": 12, "ViT-B/16": 12 },
  },
  "gated activation": {
    rank: 1,
    steps: [[["tanh"], 0], [["sigmoid"], 0], [["multiply"], 1, 2], [["add"], 3, 0]],
    found: { WaveNet: 30 },
  },
  "long short-term memory": {
    rank: 1,
    steps: [
      [["sigmoid"], 0], [["multiply"], 1], [["tanh"], 0], [["multiply"], 1, 3], [["add"], 2, 4],
      [["tanh"], 5], [["multiply"], 6, 1],
    ],
    found: { "LSTM, two layers": 2 },
  },
  "gated recurrence": {
    rank: 1,
    steps: [[["sigmoid"], 0], [["tanh"], 0], [["subtract"], 2, 0], [["multiply"], 1, 3], [["add"], 0, 4]],
    found: { "GRU encoder and decoder": 2 },
  },
  "cell after cell": {
    rank: 2,
    steps: [
      [["lstm_cell", "gru_cell", "elman_cell"], 0], [["lstm_cell", "gru_cell", "elman_cell"], 1],
      [project, 2],
    ],
    found: { "LSTM, two layers": 1, "GRU encoder and decoder": 1 },
  },
  "embedding, sum": {
    rank: 2,
    steps: [[["embedding", "take", "gather"], 0], [["sum", "mean"], 1]],
    found: { CBOW: 1 },
  },
  "embedding, sum of embeddings, layer_norm": {
    rank: 2,
    steps: [[["embedding", "take"], 0], [["add"], 1], [["layer_norm"], 2]],
    found: { "BERT base": 1, "GPT-2 small": 1 },
  },
  "gather, scatter": {
    rank: 2,
    steps: [[project, 0], [["gather", "take"], 1], [["scatter_add"], 2], [["relu"], 3]],
    found: { GCN: 2 },
  },
  dropout: {
    rank: 1,
    steps: [[drop, 0], [["add"], 1, 0]],
    found: { AlexNet: 2, "BERT base": 37, "LSTM, two layers": 3, GCN: 2 },
  },
  "dense, log_softmax, nll": {
    rank: 2,
    steps: [[project, 0], [addBias, 1], [["log_softmax"], 2], [["nll"], 3]],
    found: {
      AlexNet: 1, "VGG-16": 1, "ResNet-18": 1, "U-Net": 1, "ViT-B/16": 1, "Mixer-B/16": 1, WaveNet: 1,
      GCN: 1,
    },
  },
  "dense, cross_entropy": {
    rank: 2,
    steps: [[project, 0], [["cross_entropy"], 1]],
    found: {
      "BERT base": 2, "GPT-2 small": 1, "LLaMA-7B": 1, "LSTM, two layers": 1,
      "GRU encoder and decoder": 1,
    },
  },
  "squared error, mean": {
    rank: 1,
    steps: [[["subtract"], 0], [["square"], 1], [["mean"], 2]],
    found: { DDPM: 1 },
  },
  "sample of a normal distribution": {
    rank: 1,
    steps: [[scale, 0], [["exp"], 1], [["multiply"], 2], [["add"], 3]],
    found: { VAE: 1 },
  },
  "divergence from the standard normal": {
    rank: 1,
    steps: [[["exp"], 0], [["square"], 0], [["add"], 1, 2], [["subtract"], 3, 0], [["sum"], 4]],
    found: { VAE: 1 },
  },
  "sum of paths in logarithms": {
    rank: 1,
    steps: [[["log_softmax"], 0], [["cumulative_sum"], 1], [["logaddexp"], 1, 2], [["logsumexp"], 3]],
    found: { CTC: 1 },
  },
  "mixture of normals": {
    rank: 2,
    steps: [[["triangular_solve", "solve"], 0], [["square"], 1], [["sum"], 2], [["logsumexp"], 3]],
    found: { GMM: 1 },
  },
  "root of a determinant": {
    rank: 2,
    steps: [[["cholesky"], 0], [["diagonal"], 1], [["prod"], 2]],
    found: { GMM: 1 },
  },
};

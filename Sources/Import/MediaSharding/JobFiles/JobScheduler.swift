/// A program that starts the shards of a plan, and starts those again that did not end well.
package enum JobScheduler: String, CaseIterable, Sendable {
  case slurm
  case kubernetes
  case awsBatch = "aws-batch"
  case snakemake
  case nextflow
  /// GNU parallel.
  case parallel
}

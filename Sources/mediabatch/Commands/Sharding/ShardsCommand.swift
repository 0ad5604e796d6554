internal import ArgumentParser

struct ShardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shards",
    abstract: "Divide an import among several machines.",
    subcommands: [ShardsPlanCommand.self, ShardsRunCommand.self, ShardsMergeCommand.self]
  )
}

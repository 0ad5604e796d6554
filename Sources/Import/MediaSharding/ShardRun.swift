internal import MediaDigest
package import MediaFileSystem
internal import MediaLibrary
package import MediaModel
package import MediaPipeline
internal import MediaSyntax

/// An attempt of a shard: an ordinary run into a library of its own, and the receipt behind it.
package struct ShardRun {
  package let folder: PlanFolder
  package let plan: Plan
  package let shard: Int

  package init(_ folder: PlanFolder, shard: Int) throws(ShardingError) {
    self.folder = folder
    self.shard = shard
    plan = try folder.plan()
    try folder.check(shard: shard, of: plan)
  }

  /// The receipt of the shard, if it is finished.
  ///
  /// - Throws: ``ShardingError``, 65 for one of another plan.
  package func receipt() throws(ShardingError) -> Receipt? { try folder.receipt(of: shard, plan) }

  /// Imports the items of the shard. It confines this process for good; call it on the main thread, the only one.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt, whose folder is made.
  ///   - loaded: The manifest.
  ///   - options: Those of a run.
  /// - Returns: The run, to be performed, and the file for the movies whose stills it does not find.
  /// - Throws: ``ShardingError`` when manifest or decisions are not those of the plan; `LibraryError`.
  package func prepare(
    attempt: Int,
    _ loaded: LoadedManifest,
    _ options: RunOptions
  ) throws -> (run: Run, loneHalves: Descriptor) {
    let path = folder.library(of: shard, attempt: attempt)
    try Library.prepare(at: path, identifier: plan.library, key: plan.digestKey)
    var loaded = loaded
    loaded.output = path
    var options = options
    options.identifier = plan.run(shard: shard, attempt: attempt)
    options.assignment = try PlanItems.read(shard: shard, of: plan, in: folder)
    let run = Run(loaded, options: options)
    try plan.check(run)
    let shards = try FileSystem.openFolder(folder.path(of: PlanFolder.shardsName))
    let file = try FileSystem.createFile(in: shards, Array("\(shard)-\(attempt).halves".utf8), mode: 0o600)
    return (run, file)
  }

  /// Writes down the movies whose stills a run has not found.
  package static func note(_ halves: [LoneHalf], in file: Descriptor) throws(FileSystemError) {
    try file.write(JSONValue.array(halves.map(\.value)).serialized)
    try file.flush()
  }

  /// Writes the receipt of an attempt that has ended with success, or with failed items.
  ///
  /// - Returns: False when another attempt was first: its receipt stays.
  /// - Throws: ``ShardingError``, 70, 74.
  package func finish(attempt: Int, exitCode: RunExitCode) throws(ShardingError) -> Bool {
    do {
      let path = folder.loneHalves(of: shard, attempt: attempt)
      let bytes = try FileSystem.readSmallFile(path, limit: Receipt.maximumLength)
      let halves = bytes.withUnsafeBytes { CanonicalJSON.value(of: $0) }
      guard case .array(let values)? = halves else {
        throw ShardingError(
          .internalCheck,
          "A list of attempt \(attempt) of shard \(shard) is damaged. Run the shard again."
        )
      }
      let receipt = try Receipt(
        of: plan,
        shard: shard,
        attempt: attempt,
        exitCode: exitCode,
        loneHalves: values.compactMap { LoneHalf($0) },
        library: folder.library(of: shard, attempt: attempt)
      )
      return try folder.write(receipt.serialized, to: PlanFolder.receipt(of: shard), mode: 0o600)
    } catch let error as ShardingError {
      throw error
    } catch {
      throw ShardingError(
        .cannotWrite,
        "The receipt of shard \(shard) was not written: \(error). Run the shard again."
      )
    }
  }
}

extension Plan {
  /// Checks that a manifest is that of the plan.
  ///
  /// - Throws: ``ShardingError``, 78, or 76 for another version of the program.
  package func check(_ loaded: LoadedManifest) throws(ShardingError) {
    guard formatVersion == BuildInfo.formatVersion else {
      throw ShardingError(
        .anotherVersion,
        "The plan was made by mediabatch \(EscapedText.printable(tool)), and this is \(BuildInfo.version), which reads "
          + "formats in another way. Use one version for a plan and all of its shards."
      )
    }
    guard loaded.sha256 == manifestSHA256, loaded.labelsSHA256 == labelsSHA256,
      loaded.infoPlistSHA256 == infoPlistSHA256, loaded.policySHA256s == policySHA256s
    else {
      throw ShardingError(
        .manifestMistake,
        "\(EscapedText.printable(loaded.path)), a file that it names or a policy was changed since the plan was "
          + "made. Undo the change, or plan again."
      )
    }
  }

  /// The SHA-256 of a run's decisions about all sources, hexadecimal.
  static func digest(of run: Run) -> String {
    Hexadecimal.text(SHA256.hash(Array(run.decisions.utf8)))
  }

  /// Checks that the decisions are still those of the plan.
  ///
  /// - Throws: ``ShardingError``, 77. A run that stops by itself says why.
  func check(_ run: Run) throws(ShardingError) {
    if run.stops || Self.digest(of: run) == decisionSHA256 { return }
    throw ShardingError(
      .sourceRefused,
      "Not run: something else is allowed than when the plan was made. `mediabatch access list` shows the "
        + "answers. Plan again."
    )
  }
}

extension PlanFolder {
  /// The receipt of a shard; nil when it is not finished.
  ///
  /// - Throws: ``ShardingError``, 65 for one of another plan, or none that can be read.
  package func receipt(of shard: Int, _ plan: Plan) throws(ShardingError) -> Receipt? {
    let name = Self.receipt(of: shard)
    do {
      guard let bytes = try read(name, limit: Receipt.maximumLength) else { return nil }
      guard let receipt = Receipt(bytes), receipt.plan == plan.sha256, receipt.shard == shard,
        receipt.library == plan.library
      else {
        throw ShardingError(
          .differencesFound,
          "\(name) in \"\(shown)\" is no receipt of shard \(shard) of this plan. Remove it and run the shard again."
        )
      }
      return receipt
    } catch let error as ShardingError {
      throw error
    } catch {
      throw ShardingError(
        .differencesFound,
        "\(name) in \"\(shown)\" cannot be read: \(error.reason(besides: name))."
      )
    }
  }
}

/// The number of a shard in the environment that a scheduler gives to a job.
package enum ShardNumber {
  /// The variables, and what is added to each for a number from 1.
  package static let variables: [(name: String, offset: Int)] = [
    ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 1), ("AWS_BATCH_JOB_ARRAY_INDEX", 1),
    ("PARALLEL_SEQ", 0),
  ]

  /// The number of the shard, from 1.
  ///
  /// - Parameter environment: The process's.
  /// - Returns: The number.
  /// - Throws: ``ShardingError``, 64 unless exactly one of the variables is set to a number.
  package static func from(_ environment: [String: String]) throws(ShardingError) -> Int {
    let names = variables.map(\.name).joined(separator: ", ")
    let set = variables.filter { environment[$0.name] != nil }
    guard let variable = set.first else {
      throw ShardingError(
        .usage,
        "No shard is named. Name it with --shard, or set one of \(names), as schedulers do."
      )
    }
    guard set.count == 1 else {
      throw ShardingError(
        .usage,
        "\(Quantity.list(set.map(\.name))) are set, and one is expected. Name the shard with --shard."
      )
    }
    let text = environment[variable.name] ?? ""
    guard text.utf8.allSatisfy(\.isASCIIDigit),
      let number = Int(text), number < Int.max
    else {
      throw ShardingError(.usage, "\(variable.name) is no number. Name the shard with --shard.")
    }
    return number + variable.offset
  }

  /// Numbers as the lists that array jobs take: `3,7-9`.
  package static func list(_ numbers: [Int]) -> String {
    var parts: [String] = []
    var index = 0
    let sorted = numbers.sorted()
    while index < sorted.count {
      var end = index
      while end + 1 < sorted.count, sorted[end + 1] == sorted[end] + 1 { end += 1 }
      parts.append(index == end ? "\(sorted[index])" : "\(sorted[index])-\(sorted[end])")
      index = end + 1
    }
    return parts.joined(separator: ",")
  }
}

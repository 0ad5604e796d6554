import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped Matroska or WebM: compares its elements with the allow-list, and follows each
/// entry of seek head and index to the element that it names.
enum MatroskaVerification {
  /// Verifies an output.
  ///
  /// - Throws: `residue` naming the first element that should not be there; `damaged` when the output
  ///   is no such file.
  static func verify(_ output: ByteSource, options: StripOptions) throws(MetadataError) {
    let file = try MatroskaFile(of: output)
    guard file.others.isEmpty, !file.isCut, file.segment.hasLength else {
      throw MetadataError(.residue, "trailer")
    }
    let values = MatroskaValues.values(of: output).limited(to: options)
    let expected: [MatroskaID: [UInt8]] = [
      .tags: MatroskaValues.tags(values), .info: MatroskaValues.information(values),
    ]
    try checkChildren(of: file.header, as: .eBML, output)
    var cursor = PartCursor(MatroskaAllowList.lists[.segment] ?? AllowList([]))
    for part in file.parts {
      if part.type == .tags {
        let bytes = expected[.tags] ?? []
        guard !bytes.isEmpty, output.bytes(in: part.range, limit: bytes.count) == bytes else {
          throw MetadataError(.residue, part.name)
        }
        continue
      }
      guard let type = part.type else { throw MetadataError(.residue, part.name) }
      if let refusal = cursor.refusal(of: type, length: part.data.count) {
        throw MetadataError(.residue, refusal)
      }
      if type == .cluster {
        try checkCluster(part, output)
      } else {
        try checkChildren(of: part, as: type, output)
      }
      if type == .info { try checkValues(of: part, expected[.info] ?? [], output) }
    }
    try checkOffsets(of: file, output)
  }

  /// Verifies an output without sound.
  ///
  /// - Throws: `residue` when a sound track, or a block of a track that is not there, is left.
  static func verifyMuted(_ output: ByteSource) throws(MetadataError) {
    let file = try MatroskaFile(of: output)
    guard let tracks = file.parts.first(.tracks), file.others.isEmpty else {
      throw MetadataError(.residue, "trailer")
    }
    var numbers: Set<Int> = []
    for entry in try tracks.children(of: output) {
      guard entry.type == .trackEntry else { throw MetadataError(.residue, entry.name) }
      let track = try MatroskaTrack(entry, of: output)
      guard !track.isAudio, !track.isComplex else { throw MetadataError(.residue, track.name) }
      numbers.insert(track.number)
    }
    let allowed: Set<MatroskaID> = [
      .seekHead, .info, .tracks, .cluster, .cues, .tags, .chapters, .attachments,
    ]
    for part in file.parts {
      guard let type = part.type, allowed.contains(type) else {
        throw MetadataError(.residue, part.name)
      }
      guard type == .cluster else { continue }
      var elements = MatroskaClusterElements(part, of: output)
      while let child = elements.next() {
        switch child.type {
        case .timestamp: continue
        case .simpleBlock: try checkTrack(of: child.data, numbers, output)
        case .blockGroup:
          for block in try child.children(of: output) where block.type == .block {
            try checkTrack(of: block.data, numbers, output)
          }
        default: throw MetadataError(.residue, child.name)
        }
      }
      guard elements.isAtEnd else { throw MetadataError(.residue, "a cluster that ends early") }
    }
    try checkOffsets(of: file, output)
  }

  private static func checkTrack(
    of data: Range<Int>,
    _ numbers: Set<Int>,
    _ output: ByteSource
  ) throws(MetadataError) {
    guard numbers.contains(try MatroskaBlock(of: output, in: data).track) else {
      throw MetadataError(.residue, "a block of no track")
    }
  }

  /// Checks the children of an element and, where they have a list, theirs.
  private static func checkChildren(
    of parent: EBMLElement,
    as type: MatroskaID,
    _ output: ByteSource
  ) throws(MetadataError) {
    guard let list = MatroskaAllowList.lists[type] else { return }
    var cursor = PartCursor(list)
    for child in try parent.children(of: output) {
      guard let childType = child.type else {
        throw MetadataError(.residue, "\(child.name) in \(type.name)")
      }
      if let refusal = cursor.refusal(of: childType, length: child.data.count) {
        throw MetadataError(.residue, "\(refusal) in \(type.name)")
      }
      try check(child, in: type, output)
      try checkChildren(of: child, as: childType, output)
    }
  }

  /// Checks the content of an element that has a single value.
  private static func check(
    _ element: EBMLElement,
    in parent: MatroskaID,
    _ output: ByteSource
  ) throws(MetadataError) {
    guard let type = element.type, let part = MatroskaAllowList.lists[parent]?[type] else {
      throw MetadataError(.residue, "\(element.name) in \(parent.name)")
    }
    let isNumber = part.rule == .rewritten && part.step == 1 && part.lengths == 1...8
    // Leading zeros could be counted.
    if isNumber, element.data.count > 1, output.byte(at: element.data.lowerBound) == 0 {
      throw MetadataError(.residue, "length of \(type.name)")
    }
    if type == .language, !output.holds("und", at: element.data.lowerBound) {
      throw MetadataError(.residue, type.name)
    }
  }

  /// Checks that date and title are the kept ones.
  private static func checkValues(
    of info: EBMLElement,
    _ expected: [UInt8],
    _ output: ByteSource
  ) throws(MetadataError) {
    let values = try info.children(of: output).filter { $0.type == .dateUTC || $0.type == .title }
    let bytes = values.flatMap { output.bytes(in: $0.range, limit: 1 << 12) ?? [] }
    guard bytes == expected else { throw MetadataError(.residue, "date or title") }
  }

  private static func checkCluster(
    _ cluster: EBMLElement,
    _ output: ByteSource
  ) throws(MetadataError) {
    var cursor = PartCursor(MatroskaAllowList.lists[.cluster] ?? AllowList([]))
    var elements = MatroskaClusterElements(cluster, of: output)
    while let child = elements.next() {
      guard let type = child.type else { throw MetadataError(.residue, child.name) }
      if let refusal = cursor.refusal(of: type, length: child.data.count) {
        throw MetadataError(.residue, "\(refusal) in Cluster")
      }
      if type == .blockGroup { try checkChildren(of: child, as: .blockGroup, output) }
    }
    guard elements.isAtEnd else { throw MetadataError(.residue, "a cluster that ends early") }
  }

  /// Checks that each entry of seek head and index leads to the element that it names, and that the
  /// index names the time of a block in its cluster.
  private static func checkOffsets(
    of file: MatroskaFile,
    _ output: ByteSource
  ) throws(MetadataError) {
    let wrong = MetadataError(.residue, "an entry of the index that leads nowhere")
    let start = file.segment.data.lowerBound
    func element(at offset: UInt64?) -> EBMLElement? {
      guard let offset, offset < UInt64(file.segment.data.count) else { return nil }
      return EBMLElement(output, at: start + Int(offset), before: file.segment.data.upperBound)
    }
    for part in file.parts where part.type == .seekHead {
      for seek in try part.children(of: output) {
        let fields = try seek.children(of: output)
        guard let target = element(at: fields.first(.seekPosition)?.unsigned(of: output)),
          target.identifier == fields.first(.seekID)?.unsigned(of: output)
        else { throw wrong }
      }
    }
    for part in file.parts where part.type == .cues {
      for point in try part.children(of: output) {
        let fields = try point.children(of: output)
        guard let time = fields.first(.cueTime)?.unsigned(of: output),
          let positions = try fields.first(.cueTrackPositions)?.children(of: output),
          let cluster = element(at: positions.first(.cueClusterPosition)?.unsigned(of: output)),
          cluster.type == .cluster,
          let clusterTime = EBMLElements(output, in: cluster.data).first(where: { _ in true })?
            .unsigned(of: output),
          abs(Int(clamping: time) - Int(clamping: clusterTime)) <= 1 << 15
        else { throw wrong }
      }
    }
  }
}

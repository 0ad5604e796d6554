import MediaContainers

/// Writes the meta box of an output.
///
/// Source: ISO/IEC 14496-12 section 8.11; ISO/IEC 23008-12 section 9.3.
struct HEIFMetaWriter {
  let plan: HEIFItemPlan
  /// The size of an offset or a length in iloc: 4, or 8 for a file that needs it.
  let offsetSize: Int

  /// Returns the whole box. `ahead` and `base` are the file offsets of ``HEIFItemPlan/ahead`` and
  /// of the coded data; the box's length does not depend on them.
  func box(ahead: Int, base: Int) -> [UInt8] {
    var body = ISOWriter.handler("pict")
    body += ISOWriter.full("pitm", plan.primary.bytes(2))
    body += ISOWriter.full("iinf", plan.items.count.bytes(2) + plan.items.flatMap(entry))
    if !plan.references.isEmpty {
      body += ISOWriter.full("iref", plan.references.flatMap(reference))
    }
    body += ISOWriter.box("iprp", ISOWriter.box("ipco", Array(plan.properties.joined())) + ipma())
    if plan.alternatives.count > 1 { body += ISOWriter.box("grpl", group()) }
    if !plan.idat.isEmpty { body += ISOWriter.box("idat", plan.idat) }
    body += iloc(ahead: ahead, base: base)
    return ISOWriter.full("meta", body)
  }

  private func entry(_ item: HEIFOutputItem) -> [UInt8] {
    // The name is empty; only a mime item has a content type.
    let content = item.type == "mime" ? Array(item.contentType.utf8) + [0] : []
    return ISOWriter.full(
      "infe",
      version: 2,
      flags: item.isHidden ? 1 : 0,
      item.identifier.bytes(2) + [0, 0] + item.type.bytes + [0] + content
    )
  }

  private func reference(_ reference: HEIFReference) -> [UInt8] {
    ISOWriter.box(
      reference.type,
      reference.from.bytes(2) + reference.to.count.bytes(2)
        + reference.to.flatMap { $0.bytes(2) }
    )
  }

  /// Returns the group of alternatives, whose ID must not be that of an item.
  private func group() -> [UInt8] {
    ISOWriter.full(
      "altr",
      (plan.items.count + 1).bytes(4) + plan.alternatives.count.bytes(4)
        + plan.alternatives.flatMap { $0.bytes(4) }
    )
  }

  private func ipma() -> [UInt8] {
    let items = plan.items.filter { !$0.associations.isEmpty }
    let isLong = plan.properties.count > 0x7F
    var body = items.count.bytes(4)
    for item in items {
      body += item.identifier.bytes(2) + [UInt8(item.associations.count)]
      for association in item.associations {
        if isLong {
          body += (association.index | (association.isEssential ? 0x8000 : 0)).bytes(2)
        } else {
          body.append(UInt8(association.index | (association.isEssential ? 0x80 : 0)))
        }
      }
    }
    return ISOWriter.full("ipma", flags: isLong ? 1 : 0, body)
  }

  private func iloc(ahead: Int, base: Int) -> [UInt8] {
    let number = { (value: Int) in value.bytes(offsetSize) }
    // Only version 1 has a construction method, which bytes in idat need.
    let version: UInt8 = plan.idat.isEmpty ? 0 : 1
    var entries: [UInt8] = []
    var count = 0
    for item in plan.items {
      var method = 0
      var start = 0
      let ranges: [Range<Int>]
      switch item.storage {
      case .nowhere: continue
      case .inside(let range):
        method = 1
        ranges = [range]
      case .ahead(let range):
        start = ahead
        ranges = [range]
      case .coded(let coded):
        start = base
        ranges = coded
      }
      count += 1
      entries += item.identifier.bytes(2)
      if version == 1 { entries += method.bytes(2) }
      entries += [0, 0] + ranges.count.bytes(2)
      for range in ranges { entries += number(start + range.lowerBound) + number(range.count) }
    }
    let sizes = [UInt8(offsetSize << 4 | offsetSize), 0]
    return ISOWriter.full("iloc", version: version, sizes + count.bytes(2) + entries)
  }
}

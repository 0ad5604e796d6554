import MediaTestSupport

/// A sequence of pictures with alpha and sound, for tests.
enum TinySequence {
  private static let time = big(0x1234_5678)

  static func file(
    _ plant: HEIFCanaryTests.Canaries,
    picture: [UInt8],
    alpha: [UInt8]
  ) -> HEIFFixture {
    var file = HEIFFixture()
    file.brands = ["mif1", "heic", "msf1", "hevc"]
    file.properties = [TinyCoded.hvcC(), TinyCoded.ispe(64, 64)]
    let first =
      TinyCoded.sei(5, plant("sei-of-sample"), type: 40) + TinyCoded.nal(19, picture)
    let second =
      TinyCoded.nal(1, Array("second".utf8)) + TinyCoded.sei(4, plant("suffix"), type: 40)
    let plane = TinyCoded.nal(19, alpha)
    let audio = plant("sound")
    let thumbnail = TinyCoded.nal(19, plant("thumbnail-track"))
    file.items = [
      .init(number: 1, type: "hvc1", data: first, properties: [-1, 2]),
      // Data of the tracks; no picture refers to these.
      .init(number: 2, type: "xxxx", data: second + plane + audio + thumbnail),
    ]
    let texts = [
      plant("handler"), plant("compressor"), plant("udta"), plant("meta"), plant("sample-group"),
      plant("user-of-track"),
    ]
    file.moov = { base in
      let offsets = [0, first.count, first.count + second.count].map { base + $0 }
      let remaining = offsets[2] + plane.count
      return isoBox(
        "moov",
        isoFullBox("mvhd", time + time + big(600) + big(1200) + [UInt8](repeating: 0, count: 80)),
        track(
          1,
          "pict",
          texts,
          [first.count, second.count],
          Array(offsets[..<2]),
          references: isoBox("cdsc", big(3))
        ),
        track(
          2,
          "auxv",
          texts,
          [plane.count],
          [offsets[2]],
          references: isoBox("auxl", big(1)),
          more: isoFullBox("auxi", Array("urn:mpeg:hevc:2015:auxid:1".utf8) + [0])
        ),
        track(3, "soun", texts, [audio.count], [remaining]),
        track(
          4,
          "pict",
          texts,
          [thumbnail.count],
          [remaining + audio.count],
          references: isoBox("thmb", big(1))
        ),
        isoBox("udta", texts[2]),
        isoFullBox("meta", texts[3])
      )
    }
    return file
  }

  private static func track(
    _ number: Int,
    _ handler: String,
    _ texts: [[UInt8]],
    _ sizes: [Int],
    _ offsets: [Int],
    references: [UInt8] = [],
    more: [UInt8] = []
  ) -> [UInt8] {
    let name = texts[1].prefix(31)
    let entry = isoBox(
      "hvc1",
      [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16) + big(64, 2) + big(64, 2)
        + [UInt8](repeating: 0, count: 14) + [UInt8(name.count)] + name
        + [UInt8](repeating: 0, count: 31 - name.count) + [0, 24, 255, 255],
      TinyCoded.hvcC(),
      isoBox("btrt", texts[5]),
      more
    )
    let stbl = isoBox(
      "stbl",
      isoFullBox("stsd", big(1) + entry),
      isoFullBox("stts", big(1) + big(sizes.count) + big(600)),
      isoFullBox("stsc", big(1) + big(1) + big(1) + big(1)),
      isoFullBox("stsz", big(0) + big(sizes.count) + sizes.flatMap { big($0) }),
      isoFullBox("stco", big(offsets.count) + offsets.flatMap { big($0) }),
      isoFullBox("sgpd", texts[4])
    )
    let dref = isoFullBox("dref", big(1) + isoBox("url ", [0, 0, 0, 1]))
    let media = isoBox(
      "mdia",
      isoFullBox("mdhd", time + time + big(600) + big(1200) + big(0)),
      isoFullBox(
        "hdlr",
        big(0) + Array(handler.utf8) + [UInt8](repeating: 0, count: 12)
          + texts[0] + [0]
      ),
      isoBox("minf", isoFullBox("vmhd", [UInt8](repeating: 0, count: 8)), isoBox("dinf", dref), stbl)
    )
    let tkhd = isoFullBox(
      "tkhd",
      time + time + big(number) + big(0) + big(1200) + [UInt8](repeating: 0, count: 60)
    )
    return isoBox(
      "trak",
      tkhd,
      references.isEmpty ? [] : isoBox("tref", references),
      media,
      isoBox("udta", texts[5])
    )
  }
}

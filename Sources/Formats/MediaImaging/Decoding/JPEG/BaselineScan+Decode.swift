import MediaContainers

/// The state and the tables for decoding the blocks of one component.
private struct BlockSource {
  let dcSymbols: UnsafePointer<UInt16>
  let differences: UnsafePointer<Int16>
  let acSymbols: UnsafePointer<UInt16>
  let steps: UnsafePointer<HuffmanTable.Step>
  let coefficients: UnsafePointer<Int32>
  /// Room for 64 coefficients.
  let slots: UnsafeMutablePointer<Int32>
  let quantization: LowCoefficients
  let horizontal: Int
  let vertical: Int
  let base: UnsafeMutablePointer<UInt8>
  let stride: Int
  var prediction: Int32 = 0

  /// Reads one block; returns false if it is invalid.
  @inline(__always)
  mutating func read(
    _ reader: inout EntropyReader,
    eighths: Int,
    into low: inout LowCoefficients
  ) -> Bool {
    guard readMean(&reader) else { return false }
    low.mean = prediction &* quantization.mean
    var index = 1
    if eighths == 2 {
      // Coefficients are written to their index without a branch; only three of them are used.
      slots[1] = 0
      slots[2] = 0
      slots[4] = 0
      defer {
        low.across = slots[1] &* quantization.across
        low.down = slots[2] &* quantization.down
        low.diagonal = slots[4] &* quantization.diagonal
      }
      while index < 5 {
        reader.ensure(HuffmanTable.stepBits)
        let coefficient = coefficients[reader.peek(HuffmanTable.stepBits)]
        if coefficient != 0 {
          reader.skip(Int(coefficient & 31))
          if coefficient & 1 << 10 != 0 { return true }
          index &+= Int(coefficient &>> 5 & 31)
          slots[index &- 1] = coefficient &>> 16
        } else {
          guard let coefficient = readOne(&reader, &index) else { return false }
          if coefficient.isEnd { return true }
          slots[index &- 1] = coefficient.value
        }
      }
    }
    while index < 64 {
      reader.refill()
      // 56 bits are available: four steps of 13.
      for _ in 0..<4 {
        let step = steps[reader.peek(HuffmanTable.stepBits)]
        let next = index &+ step.advance
        guard next < 64 else {
          if step.isEnd, index &+ step.skipped < 64 {
            reader.skip(step.bitCount)
            return true
          }
          // A full block ends without an end-of-block code, which the step table cannot represent.
          guard let coefficient = readOne(&reader, &index) else { return false }
          if coefficient.isEnd { return true }
          break
        }
        reader.skip(step.bitCount)
        index = next
      }
    }
    return index == 64
  }

  /// Reads the difference of the mean from that of the block before; returns false if it is invalid.
  @inline(__always)
  private mutating func readMean(_ reader: inout EntropyReader) -> Bool {
    reader.refill()
    let difference = Int32(differences[reader.peek(HuffmanTable.differenceBits)])
    if difference != 0 {
      reader.skip(Int(difference & 15))
      prediction &+= difference &>> 4
    } else {
      guard let symbol = reader.readSymbol(dcSymbols) else { return false }
      prediction &+= reader.readValue(symbol.size)
    }
    // libjpeg stores 16 bits.
    return prediction >= -32_768 && prediction < 32_768
  }

  /// Reads the next coefficient at or after `index`, and advances `index` past it.
  @inline(__always)
  private func readOne(
    _ reader: inout EntropyReader,
    _ index: inout Int
  ) -> (value: Int32, isEnd: Bool)? {
    guard let (run, size) = reader.readSymbol(acSymbols) else { return nil }
    if size == 0 {
      if run != 15 { return (0, true) }
      index &+= 16
      return index <= 64 ? (0, false) : nil
    }
    index &+= run &+ 1
    return index <= 64 ? (reader.readValue(size), false) : nil
  }
}

extension BaselineScan {
  /// Decodes all blocks into planes with room for whole blocks.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - start: The offset of the entropy-coded data.
  ///   - planes: One plane for each component, in whole blocks of `eighths` by `eighths` samples.
  ///   - eighths: The scale in eighths, 1 or 2.
  /// - Returns: False if anything is invalid; the planes are then unusable.
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>,
    from start: UnsafePointer<UInt8>,
    into planes: [PixelPlane],
    eighths: Int
  ) -> Bool {
    let slots = UnsafeMutablePointer<Int32>.allocate(capacity: 64)
    slots.initialize(repeating: 0, count: 64)
    defer { slots.deallocate() }
    var sources = zip(zip(components, tables), planes).map { component, plane in
      let (component, tables) = component
      let (dcTable, acTable) = (coding.dcTables[tables.dc], coding.acTables[tables.ac])
      return BlockSource(
        dcSymbols: UnsafePointer(dcTable.symbols),
        differences: UnsafePointer(dcTable.differences),
        acSymbols: UnsafePointer(acTable.symbols),
        steps: UnsafePointer(acTable.steps),
        coefficients: UnsafePointer(acTable.coefficients),
        slots: slots,
        quantization: LowCoefficients(of: coding.quantization[component.quantization]),
        horizontal: component.horizontal,
        vertical: component.vertical,
        base: plane.base,
        stride: plane.stride
      )
    }
    var reader = EntropyReader(bytes, start: start, at: dataOffset)
    let isClean = sources.withUnsafeMutableBufferPointer { sources in
      eighths == 1
        ? decode(&reader, sources, eighths: 1) : decode(&reader, sources, eighths: 2)
    }
    return isClean && reader.pass(marker: 0xD9)
  }

  @inline(__always)
  private func decode(
    _ reader: inout EntropyReader,
    _ sources: UnsafeMutableBufferPointer<BlockSource>,
    eighths: Int
  ) -> Bool {
    var restarts = RestartMarkers(interval: coding.restartInterval)
    for row in 0..<rows {
      for column in 0..<columns {
        guard let isRestart = restarts.step(&reader) else { return false }
        if isRestart {
          for index in sources.indices { sources[index].prediction = 0 }
        }
        for index in sources.indices {
          let (horizontal, vertical) = (sources[index].horizontal, sources[index].vertical)
          for y in 0..<vertical {
            for x in 0..<horizontal {
              var low = LowCoefficients()
              guard sources[index].read(&reader, eighths: eighths, into: &low) else {
                return false
              }
              low.write(
                to: sources[index].base,
                stride: sources[index].stride,
                x: column &* horizontal &+ x,
                y: row &* vertical &+ y,
                eighths: eighths
              )
            }
          }
        }
        if reader.isOverrun { return false }
      }
    }
    return true
  }
}

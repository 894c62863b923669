; The machine operations that the IR uses, for native code; they call functions in native_model.cpp.

declare i32 @model_buffer_dword(i32, i32, i32, i32, i32)
declare i64 @model_clock()
declare i32 @model_workgroup_id(i32)
declare i64 @model_dispatch_id()
declare ptr @model_dispatch_packet()
declare ptr @model_implicit_arguments()
declare ptr @model_kernel_arguments()
declare void @model_results(i32, i32)

@handed_over = internal global i32 0

define internal void @hand_over(i32 %value) {
  store i32 %value, ptr @handed_over
  ret void
}

define internal i32 @take_over() {
  %value = load i32, ptr @handed_over
  ret i32 %value
}

define internal void @results(i32 %first, i32 %second) {
  call void @model_results(i32 %first, i32 %second)
  ret void
}

define internal void @native.s.dcache.inv() {
  ret void
}

define internal i64 @native.s.memtime() {
  %time = call i64 @model_clock()
  ret i64 %time
}

define internal i32 @native.workgroup.id.x() {
  %id = call i32 @model_workgroup_id(i32 0)
  ret i32 %id
}

define internal i32 @native.workgroup.id.y() {
  %id = call i32 @model_workgroup_id(i32 1)
  ret i32 %id
}

define internal i32 @native.workgroup.id.z() {
  %id = call i32 @model_workgroup_id(i32 2)
  ret i32 %id
}

define internal i64 @native.dispatch.id() {
  %id = call i64 @model_dispatch_id()
  ret i64 %id
}

define internal ptr @native.dispatch.ptr() {
  %packet = call ptr @model_dispatch_packet()
  ret ptr %packet
}

define internal ptr @native.implicitarg.ptr() {
  %arguments = call ptr @model_implicit_arguments()
  ret ptr %arguments
}

define internal ptr @native.kernarg.segment.ptr() {
  %arguments = call ptr @model_kernel_arguments()
  ret ptr %arguments
}

; dword `index` from a buffer's offset
define internal i32 @buffer_dword_at(<4 x i32> %descriptor, i32 %offset, i32 %index) {
  %w0 = extractelement <4 x i32> %descriptor, i32 0
  %w1 = extractelement <4 x i32> %descriptor, i32 1
  %w2 = extractelement <4 x i32> %descriptor, i32 2
  %value = call i32 @model_buffer_dword(i32 %w0, i32 %w1, i32 %w2, i32 %offset, i32 %index)
  ret i32 %value
}

define internal i32 @native.s.buffer.load.i32(<4 x i32> %descriptor, i32 %offset, i32 %policy) {
  %value = call i32 @buffer_dword_at(<4 x i32> %descriptor, i32 %offset, i32 0)
  ret i32 %value
}

define internal <2 x i32> @native.s.buffer.load.v2i32(<4 x i32> %descriptor, i32 %offset, i32 %policy) {
  %a = call i32 @buffer_dword_at(<4 x i32> %descriptor, i32 %offset, i32 0)
  %b = call i32 @buffer_dword_at(<4 x i32> %descriptor, i32 %offset, i32 1)
  %v = insertelement <2 x i32> undef, i32 %a, i32 0
  %w = insertelement <2 x i32> %v, i32 %b, i32 1
  ret <2 x i32> %w
}

define internal void @store_buffer_dwords(<4 x i32> %descriptor, i32 %offset, i32 %count, ptr %to) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = call i32 @buffer_dword_at(<4 x i32> %descriptor, i32 %offset, i32 %i)
  %place = getelementptr i32, ptr %to, i32 %i
  store i32 %value, ptr %place
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}

define internal <4 x i32> @native.s.buffer.load.v4i32(<4 x i32> %descriptor, i32 %offset, i32 %policy) {
  %dwords = alloca <4 x i32>
  call void @store_buffer_dwords(<4 x i32> %descriptor, i32 %offset, i32 4, ptr %dwords)
  %value = load <4 x i32>, ptr %dwords
  ret <4 x i32> %value
}

define internal <8 x i32> @native.s.buffer.load.v8i32(<4 x i32> %descriptor, i32 %offset, i32 %policy) {
  %dwords = alloca <8 x i32>
  call void @store_buffer_dwords(<4 x i32> %descriptor, i32 %offset, i32 8, ptr %dwords)
  %value = load <8 x i32>, ptr %dwords
  ret <8 x i32> %value
}

define internal <16 x i32> @native.s.buffer.load.v16i32(<4 x i32> %descriptor, i32 %offset, i32 %policy) {
  %dwords = alloca <16 x i32>
  call void @store_buffer_dwords(<4 x i32> %descriptor, i32 %offset, i32 16, ptr %dwords)
  %value = load <16 x i32>, ptr %dwords
  ret <16 x i32> %value
}

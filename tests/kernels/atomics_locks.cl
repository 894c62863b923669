/* Locks, queues, stacks and other structures that work-items share by atomics.
 *
 * Lanes of a wave that wait for a lock that another one of them holds could wait forever. They therefore take turns. */
#define WAVE_THREADS
#include "kernels.h"

#define LANES_IN_TURN(id)               \
  for (u32 lane = 0; lane < 64; ++lane) \
    if ((id) % 64 == lane)

#define ACQUIRE_SPIN_LOCK(at) \
  while (compare_swap(at, 0, 1) != 0) pause()
#define RELEASE_SPIN_LOCK(at) store_release(at, 0)

GROUP_KERNEL(spin_lock, 256, 1, 1, 512, 1, 1) {
  SHARED(u32, lock, 1);
  SHARED(u32, sums, 3);
  const u32 id = local_x(), value = in[group_x() * 256 + id];
  if (id == 0) store_relaxed(lock, 0);
  if (id < 3) sums[id] = 0;
  group_barrier();
  LANES_IN_TURN(id) {
    ACQUIRE_SPIN_LOCK(lock);
    /* Not atomic. */
    ++sums[0];
    sums[1] += value;
    sums[2] = sums[2] > value ? sums[2] : value;
    RELEASE_SPIN_LOCK(lock);
  }
  group_barrier();
  if (id < 3) out[group_x() * 3 + id] = sums[id];
}

GROUP_KERNEL(ticket_lock, 192, 1, 1, 576, 1, 1) {
  SHARED(u32, next_ticket, 1);
  SHARED(u32, now_serving, 1);
  SHARED(u32, tickets, 192);
  SHARED(u32, sum, 1);
  const u32 id = local_x(), value = in[group_x() * 192 + id];
  if (id == 0) {
    store_relaxed(next_ticket, 0);
    store_relaxed(now_serving, 0);
    sum[0] = 0;
  }
  group_barrier();
  LANES_IN_TURN(id) {
    const u32 ticket = fetch_add(next_ticket, 1);
    while (load_acquire(now_serving) != ticket) pause();
    tickets[ticket] = sum[0];
    sum[0] += value;
    store_release(now_serving, ticket + 1);
  }
  group_barrier();
  /* The sums rise by each value once. */
  const u32 after = id == 191 ? sum[0] : tickets[id + 1], difference = after - tickets[id];
  u32 is_found = 0;
  for (u32 k = 0; k < 192; ++k) is_found |= in[group_x() * 192 + k] == difference;
  out[group_x() * 192 + id] = sum[0] + is_found;
}

GROUP_KERNEL(lock_in_global_memory, 128, 1, 1, 512, 1, 1) {
  /* One for all work-groups. */
  const u32 id = local_x(), value = in[group_x() * 128 + id] % 1000;
  LANES_IN_TURN(id) {
    ACQUIRE_SPIN_LOCK(&out[0]);
    const u32 sum = load_relaxed(&out[1]);
    store_relaxed(&out[1], (sum + value) % 7919);
    store_relaxed(&out[2 + value % 8], load_relaxed(&out[2 + value % 8]) + value);
    RELEASE_SPIN_LOCK(&out[0]);
  }
}

GROUP_KERNEL(sorted_array_with_a_lock, 128, 1, 1, 256, 1, 1) {
  SHARED(u32, lock, 1);
  SHARED(u32, count, 1);
  SHARED(u32, keys, 128);
  const u32 id = local_x(), key = in[group_x() * 128 + id];
  if (id == 0) {
    store_relaxed(lock, 0);
    count[0] = 0;
  }
  group_barrier();
  LANES_IN_TURN(id) {
    ACQUIRE_SPIN_LOCK(lock);
    u32 at = count[0];
    count[0] = at + 1;
    while (at != 0 && keys[at - 1] > key) {
      keys[at] = keys[at - 1];
      --at;
    }
    keys[at] = key;
    RELEASE_SPIN_LOCK(lock);
  }
  group_barrier();
  out[group_x() * 128 + id] = keys[id];
}

GROUP_KERNEL(stack_without_locks, 256, 1, 1, 768, 1, 1) {
  SHARED(u32, head, 1);
  SHARED(u16, nexts, 256);
  SHARED(u8, is_on_stack, 256);
  const u32 id = local_x(), is_pushed = in[group_x() * 256 + id] % 4 != 0;
  if (id == 0) store_relaxed(head, 256);
  is_on_stack[id] = 0;
  group_barrier();
  if (is_pushed) {
    u32 found = load_relaxed(head), before;
    for (;;) {
      nexts[id] = (u16)found;
      before = compare_swap(head, found, id);
      if (before == found) break;
      found = before;
    }
  }
  group_barrier();
  if (id == 9) {
    u32 count = 0;
    for (u32 node = head[0]; node != 256; node = nexts[node]) {
      is_on_stack[node] = 1;
      ++count;
    }
    out[1000 + group_x()] = count;
  }
  group_barrier();
  out[group_x() * 256 + id] = is_on_stack[id];
}

GROUP_KERNEL(pushes_and_pops, 192, 1, 1, 384, 1, 1) {
  /* The head has a count of changes in its upper half. */
  SHARED(u64, head, 1);
  SHARED(u32, nexts, 192);
  SHARED(u32, popped, 192);
  const u32 id = local_x();
  if (id == 0) store_relaxed(head, 192UL);
  popped[id] = 0;
  group_barrier();
  for (u32 turn = 0; turn < 3; ++turn) {
    u32 node = (id + turn) % 192;
    u64 found = load_acquire(head), before;
    for (;;) {
      store_relaxed(&nexts[node], (u32)found);
      before = compare_swap64(head, found, ((found >> 32) + 1) << 32 | node);
      if (before == found) break;
      found = before;
    }
    group_barrier();
    found = load_acquire(head);
    for (;;) {
      node = (u32)found;
      before = compare_swap64(head, found, ((found >> 32) + 1) << 32 | load_relaxed(&nexts[node]));
      if (before == found) break;
      found = before;
    }
    fetch_add(&popped[node], turn + 1 + in[node] % 100);
    group_barrier();
  }
  out[group_x() * 192 + id] = popped[id];
  if (id == 1) {
    out[500 + group_x() * 2] = (u32)head[0];
    out[500 + group_x() * 2 + 1] = (u32)(head[0] >> 32);
  }
}

GROUP_KERNEL(search_with_a_queue, 128, 1, 1, 384, 1, 1) {
  /* Breadth first: the nodes of a level are in a queue, in any order. */
  SHARED(u32, levels, 128);
  SHARED(u8, queues, 2 * 128);
  SHARED(u32, lengths, 2);
  const u32 id = local_x(), first = group_x() * 128;
  levels[id] = id == 17 ? 0 : ~0U;
  if (id == 0) {
    queues[0] = 17;
    lengths[0] = 1;
    lengths[1] = 0;
  }
  group_barrier();
  for (u32 level = 0;; ++level) {
    const u32 now = level % 2, length = lengths[now];
    if (length == 0) break;
    for (u32 k = id; k < length; k += 128) {
      const u32 node = queues[now * 128 + k];
      for (u32 edge = 0; edge < 3; ++edge) {
        const u32 to = in[(first + node) * 3 + edge] / 2 % 128;
        if (compare_swap(&levels[to], ~0U, level + 1) == ~0U)
          queues[(1 - now) * 128 + fetch_add(&lengths[1 - now], 1)] = (u8)to;
      }
    }
    group_barrier();
    if (id == 0) lengths[now] = 0;
    group_barrier();
  }
  out[first + id] = levels[id];
}

GROUP_KERNEL(union_and_find, 256, 1, 1, 512, 1, 1) {
  /* The root of a set is its least member. */
  SHARED(u32, parents, 256);
  const u32 id = local_x();
  parents[id] = id;
  group_barrier();
  for (u32 edge = 0; edge < 1 + group_x(); ++edge) {
    u32 a = id, b = in[group_x() * 256 + id + edge * 1000] / 8 % 256;
    if (in[group_x() * 256 + id] % 3 == 0) b = a;
    while (a != b) {
      if (a < b) {
        const u32 smaller = a;
        a = b;
        b = smaller;
      }
      /* a is the larger one: if it is a root, b becomes its parent. */
      const u32 found = compare_swap(&parents[a], a, b);
      a = found == a ? b : found;
    }
  }
  group_barrier();
  u32 root = id;
  while (parents[root] != root) root = parents[root];
  out[group_x() * 256 + id] = root;
}

GROUP_KERNEL(hash_set, 192, 1, 1, 384, 1, 1) {
  /* Open addressing. The places depend on the order, but not the set. */
  SHARED(u32, slots, 256);
  SHARED(u32, count, 1);
  SHARED(u32, sum, 1);
  const u32 id = local_x();
  for (u32 k = id; k < 256; k += 192) slots[k] = 0;
  if (id < 1) {
    count[0] = 0;
    sum[0] = 0;
  }
  group_barrier();
  const u32 key = in[group_x() * 192 + id] % 400 + 1;
  u32 at = key * 2654435761U >> 24, is_present = 0;
  for (;;) {
    const u32 found = compare_swap(&slots[at], 0, key);
    is_present = found == key;
    if (found == 0 || found == key) break;
    at = (at + 1) % 256;
  }
  if (!is_present) {
    fetch_add(count, 1);
    fetch_add(sum, key * key);
  }
  group_barrier();
  u32 is_in_set = 0;
  for (u32 k = 0; k < 256; ++k) is_in_set |= slots[k] == id * 2 + 1;
  out[group_x() * 192 + id] = is_in_set;
  if (id < 2) out[1000 + group_x() * 2 + id] = id == 0 ? count[0] : sum[0];
}

GROUP_KERNEL(pool_of_tasks, 128, 1, 1, 256, 1, 1) {
  /* Work-items take tasks of different lengths until none is left. */
  SHARED(u32, next_task, 1);
  const u32 id = local_x();
  if (id == 0) next_task[0] = 0;
  group_barrier();
  for (;;) {
    const u32 task = fetch_add(next_task, 1);
    if (task >= 500) break;
    u32 value = in[group_x() * 500 + task];
    for (u32 k = value % 20; k != 0; --k) value = value * 3 ^ value >> 5;
    out[group_x() * 500 + task] = value;
  }
}

GROUP_KERNEL(minimum_spanning_forest, 128, 1, 1, 256, 1, 1) {
  /* Each set takes its cheapest edge to another one; the cost and the number of an edge are one word. */
  SHARED(u32, sets, 128);
  SHARED(u32, cheapest, 128);
  SHARED(u32, total, 1);
  SHARED(u32, changes, 1);
  const u32 id = local_x(), to = in[group_x() * 128 + id] / 16 % 128;
  const u32 cost = in[group_x() * 128 + id + 1000] % 1000 << 7 | id;
  sets[id] = id;
  if (id == 0) total[0] = 0;
  for (;;) {
    cheapest[id] = ~0U;
    if (id == 0) changes[0] = 0;
    group_barrier();
    const u32 a = sets[id], b = sets[to];
    if (a != b) {
      fetch_min(&cheapest[a], cost);
      fetch_min(&cheapest[b], cost);
    }
    group_barrier();
    /* An edge that is the cheapest of one of its sets, or of both. */
    const u32 is_taken = a != b && (cheapest[a] == cost || cheapest[b] == cost);
    if (is_taken) {
      fetch_add(total, cost >> 7);
      fetch_add(changes, 1);
    }
    group_barrier();
    if (changes[0] == 0) break;
    /* Sets that edges connect get their least number. */
    if (is_taken) {
      u32 from = a, into = b;
      while (from != into) {
        if (from < into) {
          const u32 smaller = from;
          from = into;
          into = smaller;
        }
        const u32 found = compare_swap(&sets[from], from, into);
        from = found == from ? into : found;
      }
    }
    group_barrier();
    u32 root = id;
    while (sets[root] != root) root = sets[root];
    group_barrier();
    sets[id] = root;
    group_barrier();
  }
  out[group_x() * 128 + id] = sets[id];
  if (id == 0) out[1000 + group_x()] = total[0];
}
